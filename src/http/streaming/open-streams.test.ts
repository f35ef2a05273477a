import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Principal } from '../../rules/accounts/access.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { maxAccountStreams, OpenStreams, StreamPulse } from './open-streams.ts';

function ownerOf(accountId: string, kind: 'api_key' | 'visitor' = 'api_key'): Principal {
  return { accountId, via: { kind } } as Principal;
}

it('one account has its limit of open streams, which says so and takes none from another; closed ones are free again', () => {
  const streams = new OpenStreams();
  const open = (owner: Principal) => {
    const response = new EventEmitter();
    streams.admit(owner, response as ServerResponse);
    return response;
  };
  const [first] = Array.from({ length: maxAccountStreams }, () => open(ownerOf('a')));
  expect(() => open(ownerOf('a'))).toThrow(
    'At most 2000 streams of an account can be open at once. Close those that nobody reads',
  );
  open(ownerOf('b'));
  open(ownerOf('a', 'visitor'));
  first?.emit('close');
  open(ownerOf('a'));
  expect(() => open(ownerOf('a'))).toThrow('At most 2000 streams');
});

it('streams are sent a sign of life after 25 quiet seconds, by one timer, which ends with the last of them', async () => {
  const clock = new TestClock();
  const pulse = new StreamPulse(clock);
  const open = () => {
    const stream = { lastWriteAt: clock.monotonic(), beats: 0, beat: () => void 0 };
    stream.beat = () => {
      stream.beats += 1;
      stream.lastWriteAt = clock.monotonic();
    };
    pulse.join(stream);
    return stream;
  };
  const streams = Array.from({ length: 100 }, open);
  expect(clock.timerCount).toBe(1);
  const [talking, ...quiet] = streams;
  for (let second = 0; second < 60; second++) {
    if (talking) talking.lastWriteAt = clock.monotonic();
    await clock.advance(1000);
  }
  expect(talking?.beats).toBe(0);
  expect(quiet.map(({ beats }) => beats)).toEqual(quiet.map(() => 2));
  for (const stream of streams) pulse.leave(stream);
  expect(clock.timerCount).toBe(0);
});
