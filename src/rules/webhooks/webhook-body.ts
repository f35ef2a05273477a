import type { TaskMetadata } from '../tasks/task-metadata.ts';
import { taskUrl } from '../tasks/task-url.ts';
import type { Report } from './webhook-report.ts';

/** The way a webhook was registered determines what it receives (docs/reference/wire-format.md#webhooks). */
const apiVersions = ['v2', 'v1'] as const;
export type ApiVersion = (typeof apiVersions)[number];

export interface ReportedTask {
  taskId: string;
  title: string;
  /** Public URL of the service. */
  baseUrl: string;
  metadata?: TaskMetadata | null;
  externalUserId?: string | null;
  scheduleId?: string | null;
}

export interface WebhookEvent {
  eventId: string;
  eventType: 'ping' | 'task_created' | 'task_progress' | 'task_stopped';
  /** JSON, identical for every attempt. */
  body: string;
}

/** A file as a webhook receives it. */
export interface ReportedFile {
  filename: string;
  url: string;
  bytes: number;
}

export interface LastMessage {
  message: string;
  attachments: readonly ReportedFile[];
}

function render(eventType: WebhookEvent['eventType'], eventId: string, details: Record<string, unknown>): WebhookEvent {
  return { eventType, eventId, body: JSON.stringify({ event_id: eventId, event_type: eventType, ...details }) };
}

/** The probe that a registration sends. */
export function pingEvent(id: string): WebhookEvent {
  return render('ping', `ping_${id}`, {});
}

/** The probe for a receiver that accepts only events of tasks: about a task that does not exist. */
export function probeEvent(id: string, baseUrl: string): WebhookEvent {
  return renderCreated({ taskId: id, title: 'Test message', baseUrl });
}

function describeTask({ taskId, title, baseUrl, metadata, externalUserId = null, scheduleId = null }: ReportedTask) {
  return {
    task_id: taskId,
    task_title: title,
    task_url: taskUrl(baseUrl, taskId),
    ...(metadata && { metadata }),
    ...(externalUserId !== null && { external_user_id: externalUserId }),
    ...(scheduleId !== null && { schedule_id: scheduleId }),
  };
}

function renderCreated(task: ReportedTask): WebhookEvent {
  return render('task_created', `task_created_${task.taskId}`, { task_detail: describeTask(task) });
}

/**
 * The body a webhook receives for a report (docs/reference/api.md#task-stopped).
 * Null if its API version has no such event.
 * @param last the agent's last message, for a report that omits it, and what accompanies the reported message
 */
export function renderEvent(report: Report, task: ReportedTask, apiVersion: ApiVersion, last: LastMessage): WebhookEvent | null {
  switch (report.kind) {
    case 'created':
      return renderCreated(task);
    case 'progress': {
      if (apiVersion !== 'v1') return null;
      const progress = { task_id: task.taskId, progress_type: 'plan_update', message: report.message };
      return render('task_progress', `task_progress_${task.taskId}_${report.seq}`, { progress_detail: progress });
    }
    case 'stopped':
      return render('task_stopped', `task_stopped_${task.taskId}_${report.seq}`, {
        task_detail: {
          ...describeTask(task),
          message: report.message ?? last.message,
          attachments: last.attachments.map(({ filename, url, bytes }) => ({ file_name: filename, url, size_bytes: bytes })),
          stop_reason: report.reason,
          stopped_by: report.by,
          ...(report.isOutOfBudget && { waiting_for_event_type: 'budget' }),
          ...(report.output && apiVersion === 'v2' && { structured_output: report.output }),
        },
      });
  }
}
