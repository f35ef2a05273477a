import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type TaskEvent, type TaskEventType, type TaskStatus, taskStatuses } from '../events/task-event.ts';
import { applyEvents, nextStatus } from './task-status.ts';

/**
 * The machine once more, written by hand from docs/reference/api.md#states: what each status becomes, `-` for what cannot
 * happen.
 */
const expected: Record<TaskEventType, [running: string, waiting: string, stopped: string, error: string]> = {
  user_message: ['running', 'waiting', 'stopped', 'error'],
  prepared: ['stopped', 'stopped', 'stopped', 'stopped'],
  equipped: ['running', 'waiting', 'stopped', 'error'],
  skill_loaded: ['running', '-', '-', '-'],
  tools_pinned: ['running', '-', '-', '-'],
  running: ['running', 'running', 'running', 'running'],
  model_started: ['running', '-', '-', '-'],
  model_finished: ['running', '-', '-', '-'],
  model_failed: ['running', '-', '-', '-'],
  model_waiting: ['running', '-', '-', '-'],
  context_cleared: ['running', '-', '-', '-'],
  compact_started: ['running', '-', '-', '-'],
  compact_failed: ['running', '-', '-', '-'],
  compact_part: ['running', '-', '-', '-'],
  compacted: ['running', '-', '-', '-'],
  schema_shown: ['running', '-', '-', '-'],
  explained: ['running', '-', '-', '-'],
  step_repeated: ['running', '-', '-', '-'],
  tool_started: ['running', '-', '-', '-'],
  tool_finished: ['running', '-', '-', '-'],
  file_delivered: ['running', '-', '-', '-'],
  attachments_placed: ['running', '-', '-', '-'],
  files_left_out: ['running', '-', '-', '-'],
  process_lost: ['running', '-', '-', '-'],
  file_fetched: ['running', '-', '-', '-'],
  voice_transcribed: ['running', '-', '-', '-'],
  site_made: ['running', '-', '-', '-'],
  plan_updated: ['running', '-', '-', '-'],
  plan_step_added: ['running', '-', '-', '-'],
  assistant_message: ['running', '-', '-', '-'],
  action_prepared: ['running', '-', '-', '-'],
  decided: ['-', 'waiting', '-', '-'],
  waiting: ['waiting', '-', '-', '-'],
  budget_warning: ['running', '-', '-', '-'],
  user_stopped: ['running', 'waiting', '-', '-'],
  stopped: ['stopped', 'stopped', '-', '-'],
  error: ['running', '-', '-', '-'],
  failed: ['error', '-', '-', '-'],
  rows_started: ['running', '-', '-', '-'],
  rows_failed: ['running', '-', '-', '-'],
  rows_finished: ['running', '-', '-', '-'],
  picture_started: ['running', '-', '-', '-'],
  picture_failed: ['running', '-', '-', '-'],
  picture_finished: ['running', '-', '-', '-'],
  extract_started: ['running', '-', '-', '-'],
  extract_failed: ['running', '-', '-', '-'],
  extract_incomplete: ['running', '-', '-', '-'],
  extract_finished: ['running', '-', '-', '-'],
  extract_delivered: ['-', '-', 'stopped', 'error'],
};

const types = Object.keys(expected) as TaskEventType[];

describe('nextStatus', () => {
  it.each(types.flatMap((type) => taskStatuses.map((status, at) => ({ type, status, after: expected[type][at] ?? '' }))))(
    '$type makes $status $after',
    ({ type, status, after }) => {
      expect(nextStatus(status, type)).toBe(after === '-' ? null : after);
    },
  );

  it('matches the table in the documentation', () => {
    const header = `| event | ${taskStatuses.join(' | ')} |`;
    const cell = (status: TaskStatus, type: TaskEventType) => {
      const after = nextStatus(status, type);
      return after === null ? '' : after === status ? '·' : `→ ${after}`;
    };
    const rows = types.map((type) => `| \`${type}\` | ${taskStatuses.map((status) => cell(status, type)).join(' | ')} |`);
    const table = [header, '|---|---|---|---|---|', ...rows].join('\n');
    expect(readFileSync(new URL('../../../docs/internals/task-states.md', import.meta.url), 'utf8')).toContain(table);
  });
});

describe('applyEvents', () => {
  const stop: TaskEvent[] = [{ type: 'user_stopped' }, { type: 'stopped', by: 'user' }];

  it('follows several events', () => {
    expect(applyEvents('waiting', stop)).toBe('stopped');
    expect(applyEvents('error', [])).toBe('error');
  });

  it('rejects impossible transitions without revealing details to callers', () => {
    const attempt = () => applyEvents('stopped', stop);
    expect(attempt).toThrow('Something went wrong inside the service.');
    expect(attempt).toThrow(expect.objectContaining({ code: 'internal', detail: 'user_stopped cannot follow status stopped' }));
  });
});
