import { extname } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Worker } from 'node:worker_threads';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import type { Reading } from '../readers/document-reading.ts';
import { runReadingThread } from './reader-thread.ts';
import { ThreadReserve } from './thread-reserve.ts';

const file = new URL(`../readers/document-worker${extname(import.meta.url)}`, import.meta.url);
const clock = new TestClock();
const taken: Worker[] = [];

afterEach(async () => {
  await Promise.all(taken.splice(0).map((thread) => thread.terminate()));
});

function take(reserve: ThreadReserve): Worker {
  const thread = reserve.take();
  taken.push(thread);
  return thread;
}

it('a thread that waits is taken once, and the next job has another one', () => {
  const reserve = new ThreadReserve(clock, { file, memoryMb: 64 });
  const { threadId } = take(reserve);
  reserve.refill();
  reserve.refill();
  expect(take(reserve).threadId).toBe(threadId + 1);
  expect(take(reserve).threadId).toBe(threadId + 2);
});

it('a thread that has waited until it is about to end is left alone', async () => {
  const reserve = new ThreadReserve(clock, { file, memoryMb: 64 });
  const { threadId } = take(reserve);
  reserve.refill();
  await clock.advance(26_000);
  expect(take(reserve).threadId).toBe(threadId + 2);
});

it('a thread that fails while it waits fails nothing else', async () => {
  const missing = new URL('./no-such-worker.ts', import.meta.url);
  const reserve = new ThreadReserve(clock, { file: missing, memoryMb: 64 });
  reserve.refill();
  await expect.poll(() => reserve.isReady, { timeout: 60_000 }).toBe(false);
});

it('a thread that waited reads as a new one does, and ends with its job', async () => {
  const reserve = new ThreadReserve(clock, { file, memoryMb: 128, preload: 'page' });
  reserve.refill();
  for (const words of ['the first page', 'the second page']) {
    const source = new TextEncoder().encode(
      `<!doctype html><title>T</title><article><p>${words} ${'and more words. '.repeat(50)}</p></article>`,
    );
    const thread = take(reserve);
    const job = {
      thread,
      data: { source, kind: 'page', url: 'https://example.com/', contentType: 'text/html' },
      deadlineMs: 30_000,
    };
    const reading = await runReadingThread<Reading>(clock, job, new AbortController().signal);
    expect(reading.text).toContain(words);
    expect(thread.threadId).toBe(-1);
  }
  expect(clock.timerCount).toBe(0);
});
