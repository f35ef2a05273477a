import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSchema, taskLogs } from '../../../test/support/tasks/task-logs.ts';
import { nextStep } from './next-step.ts';
import type { ModelPart } from '../events/task-event.ts';
import { askTool, emptyState, foldAll, type PendingCall, type TaskState } from './task-state.ts';

const read: PendingCall = { type: 'call', id: 'c1', tool: 'read_file', input: {}, starts: 0 };
const ask: PendingCall = { type: 'call', id: 'c2', tool: askTool, input: { question: 'Which?' }, starts: 0 };
const said: TaskState = { ...emptyState, transcript: [{ role: 'user', text: 'hi' }] };

function afterReply(...parts: ModelPart[]): TaskState {
  return { ...said, step: 1, transcript: [...said.transcript, { role: 'assistant', parts }] };
}

describe('nextStep', () => {
  it('is idle for a task that is not running', () => {
    for (const status of ['waiting', 'stopped', 'error'] as const) expect(nextStep({ ...said, status })).toEqual({ do: 'idle' });
  });

  it('calls the model for a message, and again after a failure once the pause is over', () => {
    expect(nextStep(said)).toEqual({ do: 'model', step: 1, attempt: 1, notBefore: 0 });
    expect(nextStep({ ...said, step: 4, failures: 2, retryAt: 99 })).toEqual({ do: 'model', step: 5, attempt: 3, notBefore: 99 });
  });

  it('calls the model again if a worker died during the call', () => {
    expect(nextStep({ ...afterReply({ type: 'text', text: 'x' }), modelOpen: true })).toMatchObject({ do: 'model', step: 2 });
  });

  it('loads a required skill before the first call, but neither during a call nor after an answer', () => {
    const requesting = { ...said, wantedSkills: ['s1', 's2'] };
    expect(nextStep(requesting)).toEqual({ do: 'load', skillId: 's1' });
    expect(nextStep({ ...requesting, modelOpen: true })).toMatchObject({ do: 'model' });
    const answered = { ...afterReply({ type: 'text', text: 'done' }), wantedSkills: ['s1'] };
    expect(nextStep(answered)).toEqual({ do: 'finish' });
  });

  it('runs the tools of a step first, then asks', () => {
    const state = { ...afterReply(read, ask), pending: [ask, read] };
    expect(nextStep(state)).toEqual({ do: 'tools', calls: [read] });
    expect(nextStep({ ...state, pending: [ask] })).toEqual({ do: 'ask', call: ask });
  });

  it('ends the turn at a reply without calls, whatever else it contains', () => {
    expect(nextStep(afterReply({ type: 'text', text: 'done' }))).toEqual({ do: 'finish' });
    expect(nextStep(afterReply())).toEqual({ do: 'finish' });
  });

  it('extracts before the end while a schema is armed, once', () => {
    const armed = { ...afterReply({ type: 'text', text: 'done' }), outputSchema: makeSchema('a') };
    expect(nextStep(armed)).toEqual({ do: 'extract', attempt: 1, notBefore: 0 });
    const tried = { ...armed.extraction, starts: 2, retryAt: 7 };
    expect(nextStep({ ...armed, extraction: tried })).toEqual({ do: 'extract', attempt: 3, notBefore: 7 });
    const outcome = { success: false, value: {}, error: 'no' };
    expect(nextStep({ ...armed, extraction: { ...tried, outcome } })).toEqual({ do: 'finish' });
  });

  it('always has something to do for a running task, and never loses a message at the end of a turn', () => {
    fc.assert(
      fc.property(taskLogs(60), (batches) => {
        for (let length = 1; length <= batches.length; length += 1) {
          const state = foldAll(batches.slice(0, length).flat());
          const decision = nextStep(state);
          expect(decision.do === 'idle').toBe(state.status !== 'running');
          if (decision.do === 'finish') expect(state.pendingMessages).toEqual([]);
        }
      }),
    );
  });
});
