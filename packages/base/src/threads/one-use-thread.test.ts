import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../../test/support/base/test-clock.ts';
import { askThread, NoAnswer } from './one-use-thread.ts';

function ask(code: string, { clock = new TestClock(), signal = new AbortController().signal } = {}) {
  const source = `import { parentPort, workerData } from 'node:worker_threads'; ${code}`;
  const file = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  return askThread<unknown>({ file, input: 41, memoryMb: 32, deadlineMs: 1000, clock, signal });
}

describe('a thread that is asked once', () => {
  it('answers about its input', async () => {
    expect(await ask('parentPort.postMessage(workerData + 1)')).toBe(42);
  });

  it('has not answered if it ends, fails, or takes too much memory', async () => {
    await expect(ask('')).rejects.toThrow(NoAnswer);
    await expect(ask("throw new Error('broken')")).rejects.toThrow(new NoAnswer('broken'));
    await expect(ask('const all = []; for (;;) all.push(new Array(10_000).fill(workerData))')).rejects.toThrow(NoAnswer);
  });

  it('is terminated at its deadline and when its caller has gone', async () => {
    const clock = new TestClock();
    const endless = ask('for (;;);', { clock });
    const refused = expect(endless).rejects.toThrow(new NoAnswer('deadline'));
    await clock.advance(1000);
    await refused;
    const caller = new AbortController();
    const left = expect(ask('for (;;);', { signal: caller.signal })).rejects.toThrow('gone');
    caller.abort(new Error('gone'));
    await left;
    await expect(ask('for (;;);', { signal: caller.signal })).rejects.toThrow('gone');
  });
});
