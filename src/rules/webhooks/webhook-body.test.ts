import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pingEvent, renderEvent, type ReportedFile } from './webhook-body.ts';
import type { Report } from './webhook-report.ts';
import { anyCharacter } from '../../../test/support/base/any-character.ts';

const task = { taskId: 'T1', title: 'A title', baseUrl: 'https://errand.example.com' };
const detail = { task_id: 'T1', task_title: 'A title', task_url: 'https://errand.example.com/app/T1' };
const stopped: Report = {
  kind: 'stopped',
  seq: 7,
  message: 'Done.',
  attachments: [],
  reason: 'finish',
  by: 'agent',
  output: null,
};

function read(report: Report, apiVersion: 'v1' | 'v2' = 'v2', message = '', attachments: ReportedFile[] = []): unknown {
  const event = renderEvent(report, task, apiVersion, { message, attachments });
  return event && (JSON.parse(event.body) as unknown);
}

describe('the body of a webhook', () => {
  it('of a creation names the task', () => {
    expect(read({ kind: 'created' })).toEqual({ event_id: 'task_created_T1', event_type: 'task_created', task_detail: detail });
  });

  it('of an end contains the reason and the result', () => {
    const output = { success: true, value: { price: 3 }, error: null };
    expect(read({ ...stopped, output })).toEqual({
      event_id: 'task_stopped_T1_7',
      event_type: 'task_stopped',
      task_detail: {
        ...detail,
        message: 'Done.',
        attachments: [],
        stop_reason: 'finish',
        stopped_by: 'agent',
        structured_output: output,
      },
    });
  });

  it('omits structured output if there is none, and for v1', () => {
    expect(read(stopped)).not.toHaveProperty('task_detail.structured_output');
    const output = { success: false, value: { price: 0 }, error: 'Failed to extract structured output' };
    expect(read({ ...stopped, output }, 'v1')).not.toHaveProperty('task_detail.structured_output');
  });

  it('contains the last message if the report has none', () => {
    expect(read({ ...stopped, message: null }, 'v2', 'From the log.')).toHaveProperty('task_detail.message', 'From the log.');
  });

  it('lists the attachments of the message', () => {
    const file = { filename: 'a.md', url: 'https://files.example/a', bytes: 5 };
    expect(read(stopped, 'v2', '', [file])).toHaveProperty('task_detail.attachments', [
      { file_name: 'a.md', url: 'https://files.example/a', size_bytes: 5 },
    ]);
  });

  it('of progress exists for v1 only', () => {
    const progress: Report = { kind: 'progress', seq: 4, message: 'Reading' };
    expect(read(progress)).toBeNull();
    expect(read(progress, 'v1')).toEqual({
      event_id: 'task_progress_T1_4',
      event_type: 'task_progress',
      progress_detail: { task_id: 'T1', progress_type: 'plan_update', message: 'Reading' },
    });
  });

  it('of a probe is a ping', () => {
    expect(JSON.parse(pingEvent('P1').body)).toEqual({ event_id: 'ping_P1', event_type: 'ping' });
  });

  it('is identical for identical reports, and valid for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), fc.json(), (title, message, json) => {
        const value = JSON.parse(json) as unknown;
        const report: Report = { ...stopped, message, output: { success: true, value, error: null } };
        const render = () => renderEvent(report, { ...task, title }, 'v2', { message: '', attachments: [] })?.body ?? '';
        expect(render()).toBe(render());
        expect(render()).not.toContain('\u0000');
        expect(JSON.parse(render())).toMatchObject({ task_detail: { task_title: title.toWellFormed() } });
      }),
    );
  });
});
