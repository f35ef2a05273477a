import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { Fault } from '../fault.ts';
import { createJobThreads, type JobThreads } from './job-thread.ts';

const file = new URL('../../../../test/support/base/sample-jobs.ts', import.meta.url);
const open: JobThreads[] = [];

function createThreads(clock: TestClock, maxThreads = 1): JobThreads {
  const threads = createJobThreads({ file, clock, subject: 'the sample', maxThreads, memoryMb: 64 });
  open.push(threads);
  return threads;
}

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((threads) => threads.close()));
});

const { signal } = new AbortController();

describe('job threads', () => {
  it('run jobs one at a time on one thread, and answer their questions', async () => {
    const threads = createThreads(new TestClock());
    expect(await Promise.all([1, 2, 3].map(() => threads.run('count', null, { signal })))).toEqual([1, 2, 3]);
    const answer = (question: string, name: unknown) => Promise.resolve(`${question} ${String(name)}`);
    expect(await threads.run('ask', 'Ada', { signal, answer })).toBe('greet Ada!');
  });

  it('pass on faults of a job or its caller, and keep the thread', async () => {
    const threads = createThreads(new TestClock());
    await expect(threads.run('refuse', null, { signal })).rejects.toEqual(new Fault('invalid_argument', 'name: is too long.'));
    const answer = () => Promise.reject(new Fault('not_found', 'path: does not exist.'));
    await expect(threads.run('ask', 'x', { signal, answer })).rejects.toEqual(new Fault('not_found', 'path: does not exist.'));
    await expect(threads.run('fail', null, { signal })).rejects.not.toBeInstanceOf(Fault);
    await expect(threads.run('sink', null, { signal })).rejects.toThrow('nested too deeply');
    expect(await threads.run('count', null, { signal })).toBe(1);
  });

  it('end a job that takes too long, and run the next one on a new thread', async () => {
    const clock = new TestClock();
    const threads = createThreads(clock);
    const begun = Promise.withResolvers<void>();
    const answer = () => Promise.resolve(begun.resolve());
    const endless = threads.run('spin', null, { signal, answer });
    const next = threads.run('count', null, { signal });
    const refused = expect(endless).rejects.toMatchObject({ code: 'unavailable' });
    await begun.promise;
    await clock.advance(60_000);
    await refused;
    expect(await next).toBe(1);
  });

  it('end a job that takes too much memory', async () => {
    const threads = createThreads(new TestClock());
    await expect(threads.run('grow', null, { signal })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await threads.run('count', null, { signal })).toBe(1);
  });

  it('release a job immediately when its caller aborts, running or waiting', async () => {
    const threads = createThreads(new TestClock());
    const [running, waiting] = [new AbortController(), new AbortController()];
    const begun = Promise.withResolvers<void>();
    const answer = () => Promise.resolve(begun.resolve());
    const first = threads.run('spin', null, { signal: running.signal, answer });
    const second = threads.run('count', null, { signal: waiting.signal });
    const third = threads.run('count', null, { signal });
    waiting.abort(new Error('second gave up'));
    await expect(second).rejects.toThrow('second gave up');
    await begun.promise;
    running.abort(new Error('first gave up'));
    await expect(first).rejects.toThrow('first gave up');
    expect(await third).toBe(1);
  });

  it('reserve a thread for others, however many jobs one owner has', async () => {
    const threads = createThreads(new TestClock(), 2);
    const hostile = new AbortController();
    const floods = Array.from({ length: 5 }, () => threads.run('spin', null, { signal: hostile.signal, owner: 'hostile' }));
    const ended = Promise.allSettled(floods);
    expect(await threads.run('count', null, { signal, owner: 'honest' })).toBe(1);
    expect(await threads.run('count', null, { signal, owner: 'another' })).toBe(2);
    hostile.abort(new Error('given up'));
    expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await threads.run('count', null, { signal, owner: 'hostile' })).toBeGreaterThan(0);
  });

  it('end an idle thread, and start another when needed', async () => {
    const clock = new TestClock();
    const threads = createThreads(clock);
    const post = vi.spyOn(Worker.prototype, 'postMessage');
    expect(await threads.run('count', null, { signal })).toBe(1);
    // The idle threads of other tests end at any time.
    const [thread] = post.mock.contexts as [Worker];
    const terminate = vi.spyOn(thread, 'terminate');
    await clock.advance(29_000);
    expect(await threads.run('count', null, { signal })).toBe(2);
    expect(terminate).not.toHaveBeenCalled();
    await clock.advance(30_000);
    expect(terminate).toHaveBeenCalledOnce();
    expect(await threads.run('count', null, { signal })).toBe(1);
  });
});
