import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { collectMail } from './collect-mail.ts';

it('a mail is collected whole, however small its pieces are', async () => {
  const stream = new PassThrough();
  const collected = collectMail(stream, new TestClock(), { mostBytes: 1000, overflow: () => expect.fail('it fits') });
  for (const piece of ['a', 'bc', '', 'd'.repeat(997)]) stream.write(piece);
  stream.end();
  expect(await collected).toEqual(new Uint8Array(Buffer.from(`abc${'d'.repeat(997)}`)));
});

it('a mail that is longer than its space gives that back at once, and is read to its end', async () => {
  const stream = new PassThrough();
  const overflown = Promise.withResolvers<void>();
  const collected = collectMail(stream, new TestClock(), { mostBytes: 3, overflow: overflown.resolve });
  stream.write('ab');
  stream.write('cd');
  await overflown.promise;
  stream.end('e'.repeat(100_000));
  expect(await collected).toBeNull();
});

it('a mail that arrives too slowly is given up, and one that arrives in time is not', async () => {
  const clock = new TestClock();
  const space = { mostBytes: 10_000_000, overflow: () => undefined };
  const [fast, slow] = [new PassThrough(), new PassThrough()];
  const [whole, given] = [collectMail(fast, clock, space), collectMail(slow, clock, space)];
  given.catch(() => undefined);
  slow.write('a');
  fast.write(Buffer.alloc(640_000));
  await clock.advance(39_999);
  expect([fast.destroyed, slow.destroyed]).toEqual([false, true]);
  await expect(given).rejects.toMatchObject({ responseCode: 421 });
  fast.end();
  expect((await whole)?.length).toBe(640_000);
  expect(clock.timerCount).toBe(0);
});
