import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../../test/support/tools/browser-under-test.ts';
import { useHostileBrowser } from '../../../test/support/tools/hostile-browser.ts';

const hostile = useHostileBrowser();

describe.skipIf(!hasBrowser)('a browser with a hostile page', () => {
  it('closes a tab with dialogs without end, and goes on', async () => {
    let seen = await hostile.task.see(hostile.open('/alerts'));
    // As many as are too many take longer on a busy machine. A browser that has ended answers at once, so the looks are counted.
    for (let looks = 0; looks < 60 && !/showed dialogs without end|more such events/.test(seen); looks += 1) {
      seen += await hostile.task.see({ do: 'wait', seconds: 3 });
    }
    expect(seen).toMatch(/showed dialogs without end|more such events/);
    expect(seen).toContain('a dialog (alert) said "again" and was accepted');
    await hostile.expectCalm();
  });

  it('keeps at most eight tabs', async () => {
    const closed = 'a window was closed at once, because 8 tabs are open';
    const looks = [await hostile.task.see(hostile.open('/popups'), { do: 'click', target: 'Open' })];
    // On a busy machine, the windows open only after the step.
    while (looks.length < 60 && !looks.join().includes(closed)) looks.push(await hostile.task.see({ do: 'wait', seconds: 3 }));
    expect(looks.join()).toContain(closed);
    // One that does not respond in time is closed as well.
    for (const seen of looks) expect(seen.match(/^- \d+: /gm)?.length ?? 0).toBeLessThanOrEqual(8);
    await hostile.expectCalm();
  });

  it('leaves a page whose script never ends', async () => {
    await hostile.task.see(hostile.open('/loop'), { do: 'click', target: 'Hang' });
    expect(await hostile.task.see({ do: 'evaluate', expression: '1' })).toContain('did not end within 10 s');
    await hostile.expectCalm();
  });

  it('shows the texts of a page of giant size in parts, if the machine is fast enough for it at all', async () => {
    const seen = await hostile.task.see(hostile.open('/giant'), { do: 'look', part: 3 });
    expect(seen).toMatch(/line of text[^]*\[part 3 of \d+; \{"do": "look", "part": 4\} shows the next\]$|does not respond/);
    expect(Buffer.byteLength(seen)).toBeLessThan(16 * 1024);
    await hostile.expectCalm();
  });

  it('leaves a page that asks to be stayed on, and registers no service worker', async () => {
    await hostile.task.see(hostile.open('/stay'), { do: 'click', target: 'Touch' });
    expect(await hostile.task.see(hostile.open('/worker'), { do: 'wait', seconds: 1 })).not.toContain('registered');
    await hostile.expectCalm();
  });

  it('takes no file that it did not ask for', async () => {
    const seen = await hostile.task.see(hostile.open('/offers'), { do: 'wait', seconds: 30, text: 'offered' });
    expect(seen).toMatch(/offered the file "x".*, which was not taken/);
    await hostile.expectCalm();
  });
});
