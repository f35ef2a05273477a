import { describe, expect, it } from 'vitest';
import { explainHold, type HoldFacts } from './task-hold.ts';

const now = 1_000_000;
const free: HoldFacts = {
  ...{ status: 'running', wakeAtMs: now - 5000, workerId: null, isLeased: false, crashes: 0 },
  ...{ lastEventAtMs: now - 9000, last: null },
};
const held: HoldFacts = { ...free, wakeAtMs: now + 15_000, workerId: 'w1', isLeased: true };
const waiting = { type: 'waiting', callId: 'c', question: 'a secret of the user' } as const;

const cases: [name: string, facts: HoldFacts, expected: ReturnType<typeof explainHold>][] = [
  ['that has ended for nothing', { ...free, status: 'stopped', wakeAtMs: null }, null],
  ['that failed for nothing', { ...free, status: 'error', wakeAtMs: null }, null],
  ['that is due for a place', free, { reason: 'place', sinceMs: now - 5000, untilMs: null, name: null }],
  [
    'whose lease has run out for another worker',
    { ...held, wakeAtMs: now - 1 },
    { reason: 'takeover', sinceMs: now - 1, untilMs: null, name: null },
  ],
  ['that a worker holds for that worker', held, { reason: 'worker', sinceMs: now - 9000, untilMs: null, name: null }],
  [
    'whose model was called for the model',
    { ...held, last: { type: 'model_started', step: 1, attempt: 1, model: 'p/m', estimatedInput: 1 } },
    { reason: 'model_call', sinceMs: now - 9000, untilMs: null, name: 'p/m' },
  ],
  [
    'whose model is away for its return, since the outage began',
    { ...held, last: { type: 'model_waiting', model: 'p/m', sinceMs: 7, nextTryAtMs: now + 9 } },
    { reason: 'model_outage', sinceMs: 7, untilMs: now + 9, name: 'p/m' },
  ],
  [
    'that runs a tool for the tool',
    { ...held, last: { type: 'tool_started', callId: 'c', tool: 'run_shell', attempt: 1 } },
    { reason: 'tool', sinceMs: now - 9000, untilMs: null, name: 'run_shell' },
  ],
  [
    'that was put off after the deaths of its workers for the end of the pause',
    { ...free, wakeAtMs: now + 60_000, crashes: 3 },
    { reason: 'pause', sinceMs: null, untilMs: now + 60_000, name: null },
  ],
  [
    'that nobody holds before its time for its subtasks',
    { ...free, wakeAtMs: now + 60_000 },
    { reason: 'subtasks', sinceMs: now - 9000, untilMs: now + 60_000, name: null },
  ],
  [
    'with a question for its answer',
    { ...free, status: 'waiting', wakeAtMs: null, last: waiting },
    { reason: 'answer', sinceMs: now - 9000, untilMs: null, name: null },
  ],
  [
    'with an action for its approval',
    { ...free, status: 'waiting', wakeAtMs: null, last: { ...waiting, action: { kind: 'mail', schema: {} } } },
    { reason: 'approval', sinceMs: now - 9000, untilMs: null, name: null },
  ],
  [
    'without budget for more, until that begins anew',
    { ...free, status: 'waiting', wakeAtMs: null, last: { ...waiting, callId: null, budget: { retryAtMs: now + 77 } } },
    { reason: 'budget', sinceMs: now - 9000, untilMs: now + 77, name: null },
  ],
];

describe('a task waits', () => {
  it.each(cases)('%s', (_, facts, expected) => {
    const hold = explainHold(facts, now);
    expect(hold).toEqual(expected);
    expect(JSON.stringify(hold)).not.toContain('secret');
  });
});
