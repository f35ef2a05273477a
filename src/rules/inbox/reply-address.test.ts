import { newId } from '@errand/base/ids.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeReplyAddress, readReplyAddress } from './reply-address.ts';

const key = Buffer.from('a key');

it('an address for replies leads to its item, in capitals too, and fits into any mail server', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 999_999_999 }), (atMs, seq) => {
      const item = { taskId: newId(atMs), seq };
      const address = makeReplyAddress(key, item);
      expect(address).toMatch(/^[0-9a-f]{60}$/);
      expect(readReplyAddress(key, address.toUpperCase())).toEqual(item);
    }),
  );
});

it('no address that was changed in one place, or made with another key, leads anywhere', () => {
  const address = makeReplyAddress(key, { taskId: newId(1_800_000_000_000), seq: 7 });
  for (let at = 0; at < address.length; at += 1) {
    const other = address[at] === '0' ? '1' : '0';
    expect(readReplyAddress(key, `${address.slice(0, at)}${other}${address.slice(at + 1)}`)).toBeNull();
  }
  expect(readReplyAddress(Buffer.from('another key'), address)).toBeNull();
  expect(readReplyAddress(key, address.slice(2))).toBeNull();
});
