import { LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { browserTopic, viewersTopic } from '../../../rules/browser/live-browser.ts';
import type { FeedItem } from '../../contract/feed.ts';
import type { StreamContext } from '../../contract/operation.ts';
import { followBrowser } from './browser-feed.ts';

const picture = { data: 'aaaa', width: 1280, height: 800 };

function follow() {
  const clock = new TestClock();
  const channel = new LocalBroadcast();
  const said: string[] = [];
  channel.subscribe(viewersTopic('t1'), (text) => said.push((JSON.parse(text) as { kind: string }).kind));
  const context = { clock, channel, access: { isStillValid: () => Promise.resolve(true) }, read: () => Promise.resolve({}) };
  const stop = new AbortController();
  const key = { accountId: 'a1', taskId: 't1' };
  const feed = followBrowser(context as unknown as StreamContext, { key, viewer: 'a1:one' }, stop.signal);
  return {
    ...{ clock, said, feed, stop },
    report: (more: object = {}) =>
      channel.publish(browserTopic('t1'), JSON.stringify({ isOpen: true, holder: null, isHeld: false, ...more })),
  };
}

const lookOf = ({ value }: IteratorResult<readonly FeedItem[], unknown>) => (value as FeedItem[])[0];

it('says that a reader watches, however slowly that one reads, and no more when it has left', async () => {
  const { clock, said, feed, report } = follow();
  const first = feed.next();
  await clock.advance(0);
  report();
  await first;
  // The reader takes nothing meanwhile.
  await clock.advance(10_000);
  expect(said).toEqual(Array.from({ length: 6 }, () => 'watch'));
  await feed.return(undefined);
  await clock.advance(10_000);
  expect(said.slice(6)).toEqual(['leave']);
  expect(clock.timerCount).toBe(0);
});

it('says that nobody drives when the worker is silent, and shows the last picture again when it is back', async () => {
  const { clock, feed, stop, report } = follow();
  const first = feed.next();
  await clock.advance(0);
  report({ holder: 'a1:one', isHeld: true, picture });
  expect(lookOf(await first)).toMatchObject({ browser: { driver: 'you', is_ready: true, picture: 'aaaa' } });
  const second = feed.next();
  await clock.advance(6_000);
  report({ holder: 'a1:one', isHeld: true });
  expect(lookOf(await second)).toMatchObject({ browser: { driver: 'you', picture: null } });
  let isSilent = false;
  const third = feed.next().then((result) => ((isSilent = true), result));
  await clock.advance(6_900);
  expect(isSilent).toBe(false);
  await clock.advance(100);
  expect(lookOf(await third)).toMatchObject({ browser: { driver: 'nobody', is_ready: false, picture: null } });
  const fourth = feed.next();
  await clock.advance(20_000);
  report();
  expect(lookOf(await fourth)).toMatchObject({ browser: { driver: 'agent', picture: 'aaaa', width: 1280 } });
  const last = feed.next();
  stop.abort();
  expect((await last).done).toBe(true);
});
