import { afterEach, expect, it } from 'vitest';
import { browserFolder } from '../toolbox/closed-folders.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { BrowserUnderTest, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';
import { browserTopic, readBrowserMessage, viewersTopic } from '../../rules/browser/live-browser.ts';

let browser: BrowserUnderTest | null = null;

afterEach(() => browser?.close());

it.skipIf(!hasBrowser)('a sign-in by a person outlasts the browser, also if the agent does not use it again', async () => {
  const machine = await BrowserUnderTest.open(({ headers }) =>
    headers.cookie === 'who=ann'
      ? '<title>Home</title>signed in'
      : `<title>Sign in</title><button style="position:fixed;inset:0" onclick="document.cookie='who=ann; max-age=9999'">Sign in</button>`,
  );
  browser = machine;
  const task = machine.task();
  const open = { do: 'open', url: machine.site };
  expect(await task.see(open)).toContain('Sign in');
  const say = (message: object) => machine.channel.publish(viewersTopic('t1'), JSON.stringify({ viewer: 'a1:one', ...message }));
  for (const kind of ['watch', 'take']) say({ kind });
  const readKept = () => task.workspace.read(`${browserFolder}/session`).then((bytes) => bytes.toString('latin1'));
  const before = await readKept();
  say({ kind: 'input', inputs: [{ do: 'click', x: 600, y: 400 }] });
  say({ kind: 'hand_back' });
  await expect.poll(readKept, { timeout: 60_000 }).not.toBe(before);
  await task.move();
  expect(await task.see(open)).toContain('signed in');
});

it.skipIf(!hasBrowser)('the agent reads once that a person has used its browser, whatever was saved meanwhile', async () => {
  const machine = await BrowserUnderTest.open(() => '<title>Calm</title>a page');
  browser = machine;
  const task = machine.task();
  await task.see({ do: 'open', url: machine.site });
  for (const kind of ['watch', 'take', 'hand_back']) {
    machine.channel.publish(viewersTopic('t1'), JSON.stringify({ kind, viewer: 'a1:one' }));
  }
  expect(await task.see({ do: 'look' })).toContain('a person has used the browser meanwhile');
  expect(await task.see({ do: 'look' })).not.toContain('a person has used');
});

it.skipIf(!hasBrowser)('no more browsers run than there may be, also while a person has one', async () => {
  const slow = Promise.withResolvers<() => void>();
  const clock = new TestClock();
  const machine = await BrowserUnderTest.open(
    ({ url }, response) => {
      if (url !== '/slow') return '<title>Calm</title>a page';
      slow.resolve(() => response.writeHead(200, { 'content-type': 'text/html' }).end('at last'));
      return null;
    },
    { clock, capacity: 2 },
  );
  browser = machine;
  const open = (path: string) => ({ do: 'open', url: `${machine.site}${path}` });
  await machine.task('a1', 't1').see(open('/'));
  const holders: (string | null)[] = [];
  machine.channel.subscribe(browserTopic('t1'), (text) => holders.push(readBrowserMessage(text)?.holder ?? null));
  for (const kind of ['watch', 'take']) machine.channel.publish(viewersTopic('t1'), JSON.stringify({ kind, viewer: 'a1:one' }));
  expect(holders.at(-1)).toBe('a1:one');
  const busy = machine.task('a2', 't2').see(open('/slow'));
  const answerSlow = await slow.promise;
  const late = machine.task('a3', 't3').see(open('/'));
  await clock.advance(1000);
  expect(machine.running).toBe(2);
  answerSlow();
  expect(await busy).toContain('at last');
  expect(await late).toContain('a page');
  expect([machine.running, holders.at(-1)]).toEqual([2, 'a1:one']);
});
