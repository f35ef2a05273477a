import type { Hint } from '@errand/base/signals/hints.ts';
import { deriveId } from '@errand/base/ids.ts';
import { createContentAddresses, webhookAddressTtlMs } from '../../rules/files/content-url.ts';
import type { Attachment } from '../../rules/events/task-event.ts';
import type { TaskMetadata } from '../../rules/tasks/task-metadata.ts';
import { renderEvent, type ReportedFile } from '../../rules/webhooks/webhook-body.ts';
import type { Report } from '../../rules/webhooks/webhook-report.ts';
import { repeat, type Row, type Script, sql, type SqlValue, type Statement } from '../db/store-operation.ts';
import { computedCodec, flag, json, nullable, text } from '../db/row-codec.ts';
import { isFull } from './listeners.ts';
import { webhookRow } from './webhooks.ts';

/**
 * Whether a webhook is to be notified of the task that a statement writes, for its RETURNING: most accounts have none, so this costs an
 * index lookup and no extra statement.
 */
export const hasReceivers = `CASE WHEN EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = tasks.account_id AND w.oauth_client_id IS NULL)
  OR EXISTS (SELECT 1 FROM webhooks w WHERE w.oauth_client_id = tasks.oauth_client_id) THEN 1 ELSE 0 END AS has_receivers`;

/** The webhooks themselves, if `written` says that there are some. */
export function* findReceivers(written: Row | undefined, accountId: string, taskId: string): Script<readonly Row[]> {
  if (!written || !writtenRow.has_receivers(written)) return [];
  const [receivers = []] = yield [selectReceivers(accountId, taskId)];
  return receivers;
}

/** Finds webhooks to notify of a task: those of its account, and that of the application that created it. */
export function selectReceivers(accountId: string, taskId: string): Statement {
  return sql(
    `SELECT w.account_id, w.id, w.face, w.status, ${isFull('w')} AS is_full, (SELECT i.value FROM instance i WHERE i.name = 'base_url') AS base_url,
       (SELECT i.value FROM instance i WHERE i.name = 'content_url') AS content_url,
       r.metadata, r.external_user_id, r.schedule_id,
       (SELECT e.body FROM events e WHERE e.account_id = ? AND e.task_id = ? AND e.audience = 1
        AND e.type = 'assistant_message' ORDER BY e.seq DESC LIMIT 1) AS last_message
     FROM (SELECT account_id, id, face, status FROM webhooks WHERE account_id = ? AND oauth_client_id IS NULL
       UNION ALL
       SELECT account_id, id, face, status FROM webhooks WHERE oauth_client_id IS NOT NULL AND oauth_client_id =
         (SELECT t.oauth_client_id FROM tasks t WHERE t.account_id = ? AND t.id = ?)) AS w
     LEFT JOIN tasks r ON r.account_id = ? AND r.id = ?`,
    accountId,
    taskId,
    accountId,
    accountId,
    taskId,
    accountId,
    taskId,
  );
}

/** Default URL until the service has stored its own (docs/reference/choices.md#urls). */
const usualBaseUrl = 'http://localhost:7070';

export interface ReportedFacts {
  accountId: string;
  taskId: string;
  title: string;
  now: number;
  reports: readonly Report[];
  /** Key that signs file URLs, in base64; without it, files are left out. */
  contentKey?: string | null;
}

export interface Queued {
  /** What must be stored together with the reported events. */
  statements: Statement[];
  /** Whether something can be sent at once. */
  isDue: boolean;
}

const row = `(?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN CAST(? AS INTEGER) = 1 THEN errand_now() END, 0, 0, 0, '[]', ?, ?)`;

interface Said {
  text: string;
  attachments?: readonly Attachment[];
}

const writtenRow = computedCodec('a task that was written', { has_receivers: flag });
const receiverRow = computedCodec('a webhook that is told', {
  is_full: flag,
  base_url: nullable(text),
  content_url: nullable(text),
  metadata: nullable(json<TaskMetadata>()),
  external_user_id: nullable(text),
  schedule_id: nullable(text),
  last_message: nullable(json<Said>()),
});

/** Files with URLs that outlive the last attempt: a body never changes, so all attempts carry the same. */
function describeFiles(
  files: readonly Attachment[],
  receiver: Row,
  { accountId, contentKey, now }: ReportedFacts,
): ReportedFile[] {
  const baseUrl = receiverRow.content_url(receiver);
  if (!contentKey || files.length === 0 || baseUrl === null) return [];
  const addresses = createContentAddresses({
    key: () => Buffer.from(contentKey, 'base64'),
    now: () => now,
    baseUrl: () => baseUrl,
  });
  return files.map(({ blobId, filename, contentType, bytes }) => {
    const url = addresses.file({ accountId, blobId, filename, contentType, bytes }, webhookAddressTtlMs);
    return { filename, url, bytes };
  });
}

function paramsFor(receiver: Row, report: Report, facts: ReportedFacts): SqlValue[] | null {
  const { accountId, taskId, title, now } = facts;
  const baseUrl = receiverRow.base_url(receiver) ?? usualBaseUrl;
  const attached = {
    metadata: receiverRow.metadata(receiver),
    externalUserId: receiverRow.external_user_id(receiver),
    scheduleId: receiverRow.schedule_id(receiver),
  };
  const task = { taskId, title, baseUrl, ...attached };
  const said = receiverRow.last_message(receiver) ?? { text: '' };
  const files = report.kind === 'stopped' ? (report.attachments ?? said.attachments ?? []) : [];
  const last = { message: said.text, attachments: describeFiles(files, receiver, facts) };
  const event = renderEvent(report, task, webhookRow.face(receiver), last);
  if (!event) return null;
  const webhookId = webhookRow.id(receiver);
  const owner = webhookRow.account_id(receiver);
  const isActive = webhookRow.status(receiver) === 'active';
  const isLost = receiverRow.is_full(receiver);
  return [
    owner,
    deriveId(now, `${webhookId} ${event.eventId}`),
    webhookId,
    taskId,
    owner === accountId ? null : accountId,
    event.eventId,
    event.eventType,
    isLost ? '' : event.body,
    isActive ? 'pending' : isLost ? 'failed' : 'skipped',
    isActive ? 1 : 0,
    now,
    isActive ? null : now,
  ];
}

/** One delivery of each report for each subscribed receiver; an inactive one may get them later. */
export function queueDeliveries(receivers: readonly Row[], facts: ReportedFacts): Queued {
  const rows = receivers.flatMap((receiver) => {
    const rendered = facts.reports.map((report) => paramsFor(receiver, report, facts));
    return rendered.flatMap((params) => (params ? [{ params, isActive: webhookRow.status(receiver) === 'active' }] : []));
  });
  if (rows.length === 0) return { statements: [], isDue: false };
  const statement = `INSERT INTO deliveries (account_id, id, webhook_id, task_id, task_account_id, event_id, event_type, body, status, ready_at, fence,
    attempts, tries, log, created_at, ended_at) VALUES ${repeat(row, rows.length)}`;
  return { statements: [sql(statement, ...rows.flatMap(({ params }) => params))], isDue: rows.some(({ isActive }) => isActive) };
}

/** SQLite would read all deliveries of the account. */
const byTask = 'INDEXED BY deliveries_of_task';

/** Deletes the deliveries about a task from the account's webhooks. */
export function deleteSentDeliveries(accountId: string, taskId: string): Statement {
  return sql(`DELETE FROM deliveries ${byTask} WHERE account_id = ? AND task_id = ? AND ready_at IS NULL`, accountId, taskId);
}

/** Deletes all deliveries about a task from the account's webhooks, sent or not. */
export function deleteDeliveries(accountId: string, taskId: string): Statement {
  return sql(`DELETE FROM deliveries ${byTask} WHERE account_id = ? AND task_id = ?`, accountId, taskId);
}

/** Deletes the sent deliveries about a task from the webhook of the application that created it. */
export function deleteSentDeliveriesOfApp(clientId: string, taskId: string): Statement {
  return sql(
    `DELETE FROM deliveries ${byTask} WHERE account_id IN (SELECT account_id FROM webhooks WHERE oauth_client_id = ?)
     AND task_id = ? AND ready_at IS NULL`,
    clientId,
    taskId,
  );
}

/** Hints for the delivery worker. */
export function announceDeliveries(isDue: boolean): Hint[] {
  return isDue ? [{ topic: 'deliveries' }] : [];
}
