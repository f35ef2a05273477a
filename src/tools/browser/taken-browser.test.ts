import { afterEach, expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { BrowserUnderTest, hasBrowser } from '../../../test/support/tools/browser-under-test.ts';
import { browserTopic, readBrowserMessage, viewersTopic } from '../../rules/browser/live-browser.ts';

let browser: BrowserUnderTest | null = null;

afterEach(() => browser?.close());

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
