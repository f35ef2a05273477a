import { expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { type HeapProbe, returnMemoryWhenIdle } from './idle-garbage-collection.ts';

const mb = 1024 * 1024;

class Heap implements HeapProbe {
  bytes = 40 * mb;
  busyShare = 0;
  collections = 0;

  takeBusyShare(): number {
    return this.busyShare;
  }

  heapBytes(): number {
    return this.bytes;
  }

  collect(): void {
    this.collections += 1;
    this.bytes = 30 * mb;
  }
}

it('memory is released once when a thread becomes idle, and again after it has grown', async () => {
  const [clock, heap] = [new TestClock(), new Heap()];
  returnMemoryWhenIdle(clock, heap);
  heap.busyShare = 0.5;
  await clock.advance(5000);
  expect(heap.collections).toBe(0);
  heap.busyShare = 0.01;
  await clock.advance(60_000);
  expect(heap.collections).toBe(1);
  heap.bytes = 36 * mb;
  await clock.advance(60_000);
  expect(heap.collections).toBe(1);
  heap.bytes = 50 * mb;
  await clock.advance(60_000);
  expect(heap.collections).toBe(2);
});

it('nothing is measured if garbage cannot be collected', () => {
  const clock = new TestClock();
  returnMemoryWhenIdle(clock, null);
  expect(clock.timerCount).toBe(0);
});
