import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeLog } from '../../../test/support/tasks/task-logs.ts';
import type { TaskEvent } from '../events/task-event.ts';
import { foldVersion } from './fold-version.ts';
import { foldAll, type TaskState } from './task-state.ts';

/** What logs of all kinds fold to, as one digest. */
function digestStates(): string {
  const hash = createHash('sha256');
  const add = (state: TaskState) => hash.update(JSON.stringify(state));
  for (let seed = 1; seed <= 60; seed += 1) {
    let number = seed;
    const log = makeLog(80, () => (number = (number * 48_271) % 2_147_483_647)).flat();
    const state = foldAll(log);
    add(state);
    const usage = { input: 100, output: 10, cached: 50 };
    const after: TaskEvent[] = [
      { type: 'user_message', text: 'Again.', kind: 'text' },
      ...(state.status === 'running' ? [] : [{ type: 'running' as const, brief: 'Started' }]),
      { type: 'context_cleared', before: 3, results: [{ entry: 2, result: 0, path: null, head: 10 }] },
      { type: 'compact_started', attempt: 1, model: 'test/one', estimatedInput: 1 },
      { type: 'compacted', summary: 'A summary.', kept: [0], from: 4, usage },
    ];
    add(
      foldAll(
        after.map((event, at) => ({ seq: state.seq + 1 + at, atMs: state.lastAtMs + 1 + at, event })),
        state,
      ),
    );
  }
  return hash.digest('hex').slice(0, 16);
}

it('is raised when logs fold to other states than before, so that stored ones are not used: then record both here', () => {
  expect({ foldVersion, states: digestStates() }).toEqual({ foldVersion: 10, states: 'ab90f8d01a96bcfd' });
});
