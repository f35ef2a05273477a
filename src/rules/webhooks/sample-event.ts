import { pingEvent, renderEvent, type WebhookEvent } from './webhook-body.ts';
import type { Report } from './webhook-report.ts';

/** The events that a receiver can be tested with. */
export const sampleEventTypes = ['task_created', 'task_stopped', 'task_progress', 'ping'] as const;
export type SampleEventType = (typeof sampleEventTypes)[number];

const reports: Readonly<Record<Exclude<SampleEventType, 'ping'>, Report>> = {
  task_created: { kind: 'created' },
  task_progress: { kind: 'progress', seq: 1, message: 'Comparing prices' },
  task_stopped: {
    ...{ kind: 'stopped', seq: 1, message: 'This is a sample event.', attachments: [] },
    ...{ reason: 'finish', by: 'agent', output: null },
  },
};

/** An event as receivers get it, about a task that does not exist. */
export function sampleEvent(type: SampleEventType, id: string, baseUrl: string): WebhookEvent {
  if (type === 'ping') return pingEvent(id);
  // Without a structured result, both versions have the same bodies; only v1 has `task_progress`.
  const event = renderEvent(reports[type], { taskId: id, title: 'Sample task', baseUrl }, 'v1', { message: '', attachments: [] });
  if (!event) throw new Error(`there is no sample of ${type}`);
  return event;
}
