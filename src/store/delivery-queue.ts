import type { Hint } from '../base/hints.ts';
import { deriveId } from '../base/ids.ts';
import { renderEvent, type WebhookFace } from '../rules/webhook-body.ts';
import type { Report } from '../rules/webhook-report.ts';
import { type Row, type SqlValue, type Statement, sql } from './db/operation.ts';

/**
 * Looks for webhooks that are to be told of a task. It travels with the statements of the event itself, so that an account
 * without webhooks pays for one look into an index and for no round trip.
 */
export function findReceivers(accountId: string, taskId: string): Statement {
  return sql(
    `SELECT w.id, w.face, w.status, (SELECT i.value FROM instance i WHERE i.name = 'base_url') AS base_url,
       (SELECT e.body FROM events e WHERE e.account_id = ? AND e.task_id = ? AND e.audience = 1
        AND e.type = 'assistant_message' ORDER BY e.seq DESC LIMIT 1) AS last_message
     FROM webhooks w WHERE w.account_id = ?`,
    accountId,
    taskId,
    accountId,
  );
}

/** Where people reach a service that has not told its address yet (decisions, "Names and identity"). */
const usualBaseUrl = 'http://localhost:7070';

export interface ReportedFacts {
  accountId: string;
  taskId: string;
  title: string;
  now: number;
  reports: readonly Report[];
}

export interface Queued {
  /** What must be stored together with the reported events. */
  statements: Statement[];
  /** Whether something can be sent at once. */
  isDue: boolean;
}

const row = `(?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN CAST(? AS INTEGER) = 1 THEN errand_now() END, 0, 0, 0, '[]', ?, ?)`;

function textOf(lastMessage: SqlValue | undefined): string {
  return typeof lastMessage === 'string' ? (JSON.parse(lastMessage) as { text: string }).text : '';
}

function paramsFor(receiver: Row, report: Report, { accountId, taskId, title, now }: ReportedFacts): SqlValue[] | null {
  const task = { taskId, title, baseUrl: String(receiver.base_url ?? usualBaseUrl) };
  const event = renderEvent(report, task, receiver.face as WebhookFace, textOf(receiver.last_message));
  if (!event) return null;
  const webhookId = String(receiver.id);
  const isActive = receiver.status === 'active';
  return [
    accountId,
    deriveId(now, `${webhookId} ${event.eventId}`),
    webhookId,
    taskId,
    event.eventId,
    event.eventType,
    event.body,
    isActive ? 'pending' : 'skipped',
    isActive ? 1 : 0,
    now,
    isActive ? null : now,
  ];
}

/** One delivery of each report for each receiver that is told of such; one that is inactive may be sent them later. */
export function queueDeliveries(receivers: readonly Row[], facts: ReportedFacts): Queued {
  const rows = receivers.flatMap((receiver) => {
    const rendered = facts.reports.map((report) => paramsFor(receiver, report, facts));
    return rendered.flatMap((params) => (params ? [{ params, isActive: receiver.status === 'active' }] : []));
  });
  if (rows.length === 0) return { statements: [], isDue: false };
  const text = `INSERT INTO deliveries (account_id, id, webhook_id, task_id, event_id, event_type, body, status, ready_at, fence,
    attempts, tries, log, created_at, ended_at) VALUES ${rows.map(() => row).join(', ')}`;
  return { statements: [sql(text, ...rows.flatMap(({ params }) => params))], isDue: rows.some(({ isActive }) => isActive) };
}

/** What a worker that sends deliveries should look at. */
export function announceDeliveries(isDue: boolean): Hint[] {
  return isDue ? [{ topic: 'deliveries' }] : [];
}
