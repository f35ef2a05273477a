import { GcraLimiter } from '@errand/base/load/gcra-limiter.ts';
import { LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { type BrowserMessage, browserTopic, readBrowserMessage, viewersTopic } from '../../rules/browser/live-browser.ts';
import { LiveBrowser } from './live-browser.ts';

/** A harmless JPEG of about so many kilobytes, which shows by its width which it is. */
function picture(width: number, kilobytes: number) {
  const bytes = Buffer.alloc(kilobytes * 768);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 1, 0, 1, 3]).copy(bytes);
  return { data: bytes.toString('base64'), width, height: 100 };
}

function watched() {
  const clock = new TestClock();
  const channel = new LocalBroadcast();
  const seen: BrowserMessage[] = [];
  const live = new LiveBrowser({
    ...{ accountId: 'a1', taskId: 't1', channel, clock },
    pace: new GcraLimiter(clock, { count: 100, windowMs: 10_000 }),
    command: () => undefined,
    mayTake: () => false,
    onFree: () => undefined,
  });
  channel.subscribe(browserTopic('t1'), (text) => {
    const message = readBrowserMessage(text);
    if (message) seen.push(message);
  });
  const say = (kind: string) => channel.publish(viewersTopic('t1'), JSON.stringify({ kind, viewer: 'a1:one' }));
  const widths = () => seen.flatMap((message) => (message.picture ? [message.picture.width] : []));
  live.setOpen(true);
  say('watch');
  return { clock, live, seen, say, widths };
}

it('shows the last picture when the pace allows it, and none of those before for which there was no room', async () => {
  const { clock, live, say, widths } = watched();
  for (const width of [1, 2, 3, 4]) live.show(picture(width, 60));
  expect(widths()).toEqual([1]);
  await clock.advance(1000);
  expect(widths()).toEqual([1]);
  await clock.advance(1500);
  expect(widths()).toEqual([1, 4]);
  // What was refused has cost nothing.
  say('watch');
  await clock.advance(5500);
  live.show(picture(5, 60));
  expect(widths()).toEqual([1, 4, 5]);
  live.close();
  expect(clock.timerCount).toBe(0);
});

it('answers each time somebody says that they watch, and each takeover that it refuses', () => {
  const { live, seen, say } = watched();
  const before = seen.length;
  say('watch');
  say('take');
  expect(seen.slice(before)).toEqual(Array.from({ length: 2 }, () => ({ isOpen: true, holder: null, isHeld: false })));
  live.close();
});
