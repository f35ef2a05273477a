import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { TestClock } from '../../test/support/base/test-clock.ts';
import { BlobMissing } from '../store/blobs/blob-store.ts';
import { openSharePictures } from './share-pictures.ts';

const cover = { blobId: 'b1', filename: 'cover.png', contentType: 'image/png', bytes: 1 };
const task = { accountId: 'a1', title: 'Sales of May', cover: null };

/** Pictures over a store that answers as told, and how often it was asked. */
function open(answer: () => Promise<Readable>, clock: Clock = systemClock) {
  const asked = { count: 0 };
  const blobs = {
    open: () => {
      asked.count += 1;
      return answer();
    },
  };
  return { pictures: openSharePictures(blobs, clock), asked };
}
const missing = () => Promise.reject(new BlobMissing('b1'));

it('a picture is drawn once for all who ask for it, also without the picture of a result that is gone', async () => {
  const { pictures, asked } = open(missing);
  const all = await Promise.all([1, 2, 3].map(() => pictures.draw({ ...task, cover })));
  expect(asked.count).toBe(1);
  expect(new Set(all).size).toBe(1);
  expect(Buffer.from(all[0] ?? []).toString('latin1', 1, 4)).toBe('PNG');
});

it('a picture that could not be drawn is tried again', async () => {
  let isAway = true;
  const { pictures, asked } = open(() => (isAway ? Promise.reject(new Error('the store is away')) : missing()));
  await expect(pictures.draw({ ...task, cover })).rejects.toThrow('away');
  isAway = false;
  expect((await pictures.draw({ ...task, cover })).length).toBeGreaterThan(1_000);
  expect(asked.count).toBe(2);
});

it('an account has 30 new pictures in a minute, and others are not slowed by it', async () => {
  const clock = new TestClock();
  const { pictures } = open(() => Promise.reject(new Error('the store is away')), clock);
  const ask = (title: string, accountId = 'a1') =>
    pictures.draw({ accountId, title, cover }).catch((error: Error) => error.message);
  for (let count = 0; count < 30; count++) expect(await ask(`title ${count}`)).toContain('away');
  expect(await ask('one more')).toContain('Too many new pictures');
  expect(await ask('one more', 'a2')).toContain('away');
  await clock.advance(60_000);
  expect(await ask('one more')).toContain('away');
});
