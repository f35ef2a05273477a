import { Fault } from '@errand/base/fault.ts';
import { serveJobs } from '@errand/base/threads/job-worker.ts';

function sink(depth: number): number {
  return depth > 0 ? 1 + sink(depth + 1) : 0;
}

let runs = 0;

/** Jobs of a thread under test. */
serveJobs({
  count: () => Promise.resolve((runs += 1)),
  ask: async (input, ask) => `${String(await ask('greet', input))}!`,
  refuse: () => Promise.reject(new Fault('invalid_argument', 'name: is too long.')),
  fail: () => Promise.reject(new Error('a secret of the inside')),
  sink: () => Promise.resolve(sink(1)),
  async spin(_, ask) {
    await ask('begun', null);
    for (;;) runs += 1;
  },
  async grow() {
    const kept: unknown[] = [];
    for (;;) kept.push(new Array<number>(100_000).fill(runs));
  },
});
