import { expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { RecentReads } from './recent-reads.ts';

function setUp() {
  const clock = new TestClock();
  const asked: string[] = [];
  const recent = new RecentReads<number>(clock, 1000);
  const read = (key: string) =>
    recent.read(key, () => {
      asked.push(key);
      return Promise.resolve(asked.length);
    });
  return { clock, recent, read, asked };
}

it('asks once for each key while the answer is recent, and again afterwards', async () => {
  const { clock, read, asked } = setUp();
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual([1, 1, 2]);
  await clock.advance(999);
  expect(await read('a')).toBe(1);
  await clock.advance(1);
  expect(await read('a')).toBe(3);
  expect(asked).toEqual(['a', 'b', 'a']);
});

it('asks again after a failure, and once it is cleared', async () => {
  const { recent, read } = setUp();
  const failing = recent.read('a', () => Promise.reject(new Error('gone')));
  await expect(failing).rejects.toThrow('gone');
  expect(await read('a')).toBe(1);
  recent.clear();
  expect(await read('a')).toBe(2);
});

it('keeps what was asked for after a clear, though what was asked for before it fails', async () => {
  const { recent, read } = setUp();
  const { promise, reject } = Promise.withResolvers<number>();
  const failing = recent.read('a', () => promise);
  recent.clear();
  expect(await read('a')).toBe(1);
  reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  expect(await read('a')).toBe(1);
});

it('drops the oldest of too many', async () => {
  const { read } = setUp();
  for (let key = 0; key < 10_001; key += 1) await read(String(key));
  expect(await read('10000')).toBe(10_001);
  expect(await read('0')).toBe(10_002);
});
