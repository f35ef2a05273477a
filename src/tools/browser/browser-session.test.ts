import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { toolContext } from '../../../test/support/tasks/tool-context.ts';
import { BrowserUnderTest, type BrowserTask, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';

const counting = `<title>Counting</title><body style="height:4000px"><label>Note <input></label><p id="out"></p><script>
for (const store of [localStorage, sessionStorage]) store.count = Number(store.count || 0) + 1;
out.textContent = 'local ' + localStorage.count + ', session ' + sessionStorage.count;
</script>`;

const clock = new TestClock();
let browser: BrowserUnderTest;
let task: BrowserTask;

beforeEach(async () => {
  if (!hasBrowser) return;
  browser = await BrowserUnderTest.open(
    (request, response) => {
      if (request.url === '/set') response.setHeader('set-cookie', ['kept=yes; Max-Age=9999', 'passing=too; HttpOnly']);
      return request.url === '/cookies' ? `cookies: ${request.headers.cookie}` : counting;
    },
    { clock, capacity: 2 },
  );
  task = browser.task();
});

afterEach(() => browser?.close());

const restored = /^The browser had ended since the last call: its (page was|\d tabs were) loaded again/;

describe.skipIf(!hasBrowser)('the browser of a task', () => {
  it('goes on under another worker with cookies, both kinds of storage, tabs, scroll position, and says so once', async () => {
    await task.see({ do: 'open', url: `${browser.site}/set` }, { do: 'type', target: 'Note', text: 'not sent' });
    const before = await task.see(
      { do: 'open', url: `${browser.site}/cookies`, new_tab: true },
      { do: 'tab', number: 1 },
      { do: 'scroll', pages: 2 },
    );
    expect(before).toMatch(/: not sent/);
    // Wheels turn smoothly.
    await expect.poll(() => task.see({ do: 'evaluate', expression: 'scrollY' }), { timeout: 30_000 }).toContain('is 1400');
    await task.move();
    const after = await task.see({ do: 'evaluate', expression: 'scrollY' });
    expect(after).toMatch(restored);
    expect(after).toContain('its 2 tabs were loaded again');
    expect(after).toContain('- the expression is 1400');
    expect(after).toContain('local 2, session 2');
    expect(after).not.toContain('not sent');
    expect(after).toContain(`- 2:  (${browser.site}/cookies)`);
    const second = await task.see({ do: 'tab', number: 2 }, { do: 'reload' });
    expect(second).toMatch(/cookies: .*kept=yes.*passing=too|cookies: .*passing=too.*kept=yes/);
    expect(second).not.toMatch(restored);
  });

  it('keeps its state over thirty calls and a move in their middle', async () => {
    await task.see({ do: 'open', url: `${browser.site}/` });
    let reports = 0;
    for (let call = 1; call < 30; call += 1) {
      if (call === 15) await task.move();
      const seen = await task.see({ do: 'reload' });
      if (restored.test(seen)) reports += 1;
      // The move loads the page once more.
      const count = call + (call < 15 ? 1 : 2);
      expect(seen).toContain(`local ${count}, session ${count}`);
    }
    expect(reports).toBe(1);
    expect(browser.requests.filter((line) => line.endsWith(' /'))).toHaveLength(31);
  });

  it('is put away after five minutes without a call, and goes on with the next', async () => {
    await task.see({ do: 'open', url: `${browser.site}/` });
    expect(browser.running).toBe(1);
    await clock.advance(4 * 60_000);
    expect(await task.see({ do: 'look' })).not.toMatch(restored);
    await clock.advance(4 * 60_000);
    expect(browser.running).toBe(1);
    await clock.advance(60_000);
    await expect.poll(() => browser.running, { timeout: 30_000 }).toBe(0);
    expect(await task.see({ do: 'look' })).toMatch(restored);
  });

  it('makes way for that of another account where there are too many, and goes on later', async () => {
    const [second, stranger] = [browser.task('a1', 't9'), browser.task('a2', 't2')];
    await task.see({ do: 'open', url: `${browser.site}/` });
    await second.see({ do: 'open', url: `${browser.site}/` });
    await stranger.see({ do: 'open', url: `${browser.site}/` });
    // Of the account with two, the one that was idle for longest.
    expect(browser.running).toBe(2);
    expect(await second.see({ do: 'look' })).not.toMatch(restored);
    expect(await stranger.see({ do: 'look' })).not.toMatch(restored);
    expect(await task.see({ do: 'look' })).toMatch(restored);
    expect(browser.running).toBe(2);
    // Nothing of one account is in the other.
    expect(await stranger.see({ do: 'reload' })).toContain('local 2, session 2');
  });

  it('keeps its session where commands can neither read nor exchange it', async () => {
    await task.see({ do: 'open', url: `${browser.site}/set` });
    const stranger = browser.task('a2', 't2');
    const text = await task.shell('cat .browser/session; ls -A .browser');
    expect(text).toMatch(/^v1\.[\w-]+session\n/);
    expect(text).not.toMatch(/kept|passing|site\.test/);
    await stranger.workspace.write('.browser/session', await task.workspace.read('.browser/session'));
    expect(await stranger.see({ do: 'look' })).toBe('- looked at the page\nNo page is open.');
    await task.shell('echo spoiled >.browser/session');
    await task.move();
    expect(await task.see({ do: 'look' })).toBe('- looked at the page\nNo page is open.');
  });

  it('stays within what the task may reach now, also through a connection that is already open', async () => {
    let closed = false;
    const egressGuard = {
      ...toolContext(task.workspace).egressGuard,
      refuseHost: ({ host }: { host: string }) => (closed ? `${host} is closed` : null),
    };
    await task.browse([{ do: 'open', url: `${browser.site}/` }], { egressGuard });
    closed = true;
    const before = browser.requests.length;
    expect((await task.browse([{ do: 'reload' }], { egressGuard })).output).toContain('site.test is closed');
    expect(browser.requests).toHaveLength(before);
  });
});
