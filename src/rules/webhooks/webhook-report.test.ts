import { describe, expect, it } from 'vitest';
import type { Attachment, PlanStep, TaskEvent } from '../events/task-event.ts';
import { findReports } from './webhook-report.ts';

const answer: TaskEvent = { type: 'assistant_message', text: 'Done.' };
const picture: Attachment = { kind: 'image', blobId: 'b', filename: 'a.png', contentType: 'image/png', bytes: 3 };
const byAgent: TaskEvent = { type: 'stopped', by: 'agent' };
const result = { success: true, value: { a: 1 }, error: null };

function step(title: string, status: PlanStep['status']): PlanStep {
  return { title, status, startedAt: null, endedAt: null };
}

describe('a webhook report', () => {
  it('describes an end, with the message and structured result logged with it and its position in the log', () => {
    const events: TaskEvent[] = [answer, byAgent, { type: 'extract_delivered', ...result }];
    expect(findReports(events, 5)).toEqual([
      { kind: 'stopped', seq: 6, message: 'Done.', attachments: [], reason: 'finish', by: 'agent', output: result },
    ]);
  });

  it('omits a message that was logged earlier', () => {
    expect(findReports([byAgent], 9)).toEqual([
      { kind: 'stopped', seq: 9, message: null, attachments: null, reason: 'finish', by: 'agent', output: null },
    ]);
  });

  it('contains the question of a waiting task', () => {
    const events: TaskEvent[] = [
      { type: 'assistant_message', text: 'Which one?', attachments: [picture] },
      { type: 'waiting', callId: 'c1', question: 'Which one?' },
    ];
    expect(findReports(events, 3)).toEqual([
      { kind: 'stopped', seq: 4, message: 'Which one?', attachments: [picture], reason: 'ask', by: 'agent', output: null },
    ]);
  });

  it('contains the error text of a failed task, and its failed result', () => {
    const failure = { success: false, value: { a: 0 }, error: 'Failed to extract structured output' };
    const events: TaskEvent[] = [
      { type: 'error', errorType: 'model_refused', text: 'No.' },
      { type: 'failed' },
      { type: 'extract_delivered', ...failure },
    ];
    expect(findReports(events, 1)).toEqual([
      { kind: 'stopped', seq: 2, message: 'No.', attachments: [], reason: 'finish', by: 'error', output: failure },
    ]);
  });

  it('names the user if they stopped the task', () => {
    expect(findReports([{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }], 3)).toMatchObject([
      { seq: 4, reason: 'finish', by: 'user', message: 'Stopped by the user', output: null },
    ]);
  });

  it('contains the progress of the plan', () => {
    const plan = (...steps: PlanStep[]): TaskEvent => ({ type: 'plan_updated', steps });
    const reports = findReports(
      [plan(step('Read', 'done'), step('Write', 'doing')), plan(step('Read', 'done'), step('Write', 'todo'))],
      2,
    );
    expect(reports).toEqual([
      { kind: 'progress', seq: 2, message: 'Write' },
      { kind: 'progress', seq: 3, message: '1 of 2 steps done' },
    ]);
  });

  it('does not exist for other events', () => {
    const events: TaskEvent[] = [
      { type: 'user_message', text: 'Go', kind: 'text' },
      { type: 'running', brief: '' },
      answer,
      { type: 'error', errorType: 'x', text: 'y' },
    ];
    expect(findReports(events, 1)).toEqual([]);
  });
});
