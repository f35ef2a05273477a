import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { collectMail } from './collect-mail.ts';

it('a mail is collected whole, however small its pieces are', async () => {
  const stream = new PassThrough();
  const collected = collectMail(stream, { mostBytes: 1000, overflow: () => expect.fail('it fits') });
  for (const piece of ['a', 'bc', '', 'd'.repeat(997)]) stream.write(piece);
  stream.end();
  expect(await collected).toEqual(new Uint8Array(Buffer.from(`abc${'d'.repeat(997)}`)));
});

it('a mail that is longer than its room gives that back at once, and is read to its end', async () => {
  const stream = new PassThrough();
  const overflown = Promise.withResolvers<void>();
  const collected = collectMail(stream, { mostBytes: 3, overflow: overflown.resolve });
  stream.write('ab');
  stream.write('cd');
  await overflown.promise;
  stream.end('e'.repeat(100_000));
  expect(await collected).toBeNull();
});
