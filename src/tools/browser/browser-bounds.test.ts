import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../../test/support/tools/browser-under-test.ts';
import { useHostileBrowser } from '../../../test/support/tools/hostile-browser.ts';

const hostile = useHostileBrowser();

describe.skipIf(!hasBrowser)('the bounds of a browser with a hostile page', () => {
  it('keeps a page that takes memory without end within its own', async () => {
    let seen = await hostile.task.see(hostile.open('/memory'), { do: 'click', target: 'Take all' });
    for (let looks = 0; looks < 2; looks += 1) seen += await hostile.task.see({ do: 'wait', seconds: 3 });
    const held = Array.from(seen.matchAll(/^(\d+) MB /gm), ([, megabytes]) => Number(megabytes));
    // All of a browser has 1.5 GiB.
    expect(Math.max(0, ...held)).toBeLessThan(1536);
    await hostile.expectCalm();
  });

  it('ends a download without end', async () => {
    const seen = await hostile.task.see(hostile.open('/bomb'), { do: 'download', target: 'Take it', path: 'got/bomb' });
    // A machine that takes longer for as much ends it by the time of the step.
    expect(seen).toMatch(/the file is larger than 200 MB|the page did not answer in time/);
    expect((await hostile.task.workspace.list('', 100)).map(({ path }) => path)).not.toContain('got/bomb');
    await hostile.expectCalm();
  });

  it('reaches nothing private by redirects, WebRTC, names, sockets, or beacons', async () => {
    expect(await hostile.task.see(hostile.open('/to-private'))).toMatch(/status 403|not public|not done/);
    expect(await hostile.task.see(hostile.open('/to-file'))).not.toContain('root:');
    expect(await hostile.task.see(hostile.open('/leaks'), { do: 'wait', seconds: 2 })).toContain('candidates 0');
    expect(hostile.under.requests.filter((line) => line.includes('leak') && !line.includes('/leaks'))).toEqual([]);
    for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:file:///etc/passwd']) {
      const seen = await hostile.task.see(hostile.open('/calm'), {
        do: 'evaluate',
        expression: `location.href = ${JSON.stringify(url)}`,
      });
      expect(seen).not.toMatch(/root:|Command Line/);
    }
    await hostile.expectCalm();
  });
});
