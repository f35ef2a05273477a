/**
 * The lease on a task.
 *
 * The row in the database is authoritative, and only the database's clock measures a lease. A worker owns a task from its claim until
 * `wake_at`, which each renewal extends. A claim raises `fence`; so does a stop. Every write of a worker proves its fence in the same
 * statement that assigns the sequence numbers, so a worker that was paused, cut off or declared dead can finish its step but never store
 * it. A worker considers its lease valid for less time than the database does (see `work/tasks/lease-keeper`): it has released the task
 * before another can claim it.
 */
import { Fault } from '@errand/base/fault.ts';
import { findLastModel, sumTokens } from '../../rules/credits/model-usage.ts';
import { isPaidByOwnKey, meterEvents } from '../../rules/credits/pricing.ts';
import { listEventPictures } from '../../rules/context/shown-pictures.ts';
import { progressTypes } from '../../rules/events/progress-events.ts';
import type { TaskEvent, TaskStatus } from '../../rules/events/task-event.ts';
import { applyEvents } from '../../rules/tasks/task-status.ts';
import { asksPerson } from '../../rules/inbox/inbox-item.ts';
import { findReports } from '../../rules/webhooks/webhook-report.ts';
import { announceLibrary, storeDeliveries } from '../artifacts/artifacts.ts';
import { addBlobReferences } from '../blobs/blob-references.ts';
import { announceNotices, queueNotices, watcher } from '../notifications/notification-queue.ts';
import { announceDeliveries, findReceivers, hasReceivers, queueDeliveries } from '../webhooks/delivery-queue.ts';
import {
  lastStep,
  type StoreOperation,
  padToPowerOfTwo,
  repeat,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type SqlValue,
  type Statement,
} from '../db/store-operation.ts';
import { insertEvents, type Logged } from '../events/events.ts';
import { measureEnding } from '../events/turn-endings.ts';
import { countCalls } from '../credits/model-usage.ts';
import { insertSession } from '../credits/usage-ledger.ts';
import { taskRow } from '../db/shared-rows.ts';
import { changeMeter } from '../credits/session-meter.ts';
import { findRetryAt, whileUnlimited } from './budget-guard.ts';
import { changeTitle } from './task-row.ts';

export interface Lease {
  accountId: string;
  taskId: string;
  fence: number;
}

export interface RenewArgs {
  workerId: string;
  ttlMs: number;
  leases: readonly Lease[];
}

/** Owner of leases whose worker is stopping: if they expire, no crash is counted. Their fence proves which worker has them. */
export const leavingOwner = 'leaving';

/** Leases of one statement at most: its parameters are bounded, and other writes wait for it. */
export const leasesPerWrite = 1024;

/**
 * A condition on the rows of leases, and its parameters. Statements with it lock the rows in task order first, as group commits do, so that
 * the two never deadlock.
 */
export function leaseRows(leases: readonly Lease[]): { list: string; params: SqlValue[] } {
  const padded = padToPowerOfTwo(leases);
  return {
    list: `(account_id, id, fence) IN (VALUES ${repeat('(?, ?, CAST(? AS BIGINT))', padded.length)})`,
    params: padded.flatMap(({ accountId, taskId, fence }) => [accountId, taskId, fence]),
  };
}

/**
 * Extends all leases of a worker; returns the ids of the tasks it still owns. A lease that has ended is not extended, even if nobody claimed
 * the task: what runs is counted from the leases, so its slot may have been given to another task. The last tenth of
 * a lease counts as ended, because a claim that counts while the renewal commits still sees the old end. The worker has given up by then
 * (`work/tasks/lease-keeper`).
 */
export const renewLeases: StoreOperation<RenewArgs, string[]> = {
  name: 'leases.renew',
  access: 'priority',
  *run({ workerId, ttlMs, leases }) {
    if (leases.length === 0) return [];
    const { list, params } = leaseRows(leases);
    yield* selectAll(`SELECT id FROM tasks WHERE ${list} ORDER BY id FOR UPDATE`, ...params);
    const rows = yield* selectAll(
      `UPDATE tasks SET wake_at = errand_now() + ?
       WHERE lease_owner IN (?, '${leavingOwner}') AND wake_at > errand_now() + ? AND ${list} RETURNING id`,
      ttlMs,
      workerId,
      Math.floor(ttlMs / 10),
      ...params,
    );
    return rows.map((row) => taskRow.id(row));
  },
};

export interface LeaseState {
  fence: number;
  lastSeq: number;
}

/** The current lease and log position of a task; null if the task is deleted. */
export const readLease: StoreOperation<{ accountId: string; taskId: string }, LeaseState | null> = {
  name: 'leases.read',
  access: 'read',
  *run({ accountId, taskId }) {
    const row = yield* selectFirst('SELECT fence, last_seq FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId);
    return row ? { fence: taskRow.fence(row), lastSeq: taskRow.last_seq(row) } : null;
  },
};

export interface AppendArgs extends Lease {
  now: number;
  events: readonly TaskEvent[];
  /** Log the events only if the log ends here, so that a message that arrived meanwhile is never skipped. */
  expectSeq: number | null;
  /** Signs URLs of files in webhook payloads, in base64. */
  contentKey?: string | null;
  /** Set by `paid-calls.ts`, which takes care of the task's budgets. */
  isBudgeted?: boolean;
  /** Whether a session that ends with the events is not billed. */
  isFree?: boolean;
}

export type AppendResult =
  | (Logged & { isReported: boolean; isNoticed: boolean })
  /** Budgets limit the task: `paid-calls.ts` has to append these events. */
  | { outcome: 'budgeted' }
  /** The lease belongs to another worker, the task was stopped, or it is deleted. */
  | { outcome: 'lost' }
  /** The log has grown beyond `expectSeq`. */
  | { outcome: 'behind' };

/** Whether a session is free: the caller says so, or no model was connected, so that nobody could work. */
const isFreeSession = ({ isFree = false, events }: AppendArgs) =>
  isFree || events.some((event) => event.type === 'stopped' && event.isUnanswered === true);

/** Advances the head of the log if the fence is still valid: one statement checks it and assigns numbers. */
function advanceHead(args: AppendArgs, status: TaskStatus): Statement {
  const { accountId, taskId, fence, now, events, expectSeq } = args;
  const usage = sumTokens(events);
  const billed = changeMeter(meterEvents(events), status, { isFree: isFreeSession(args), model: findLastModel(events) });
  const more = [...billed, ...changeTitle(events)];
  const retryAt = findRetryAt(events);
  // The end of a turn counts too, so that an abandoned task can be resumed.
  const isProgress = status !== 'running' || events.some(({ type }) => progressTypes.has(type));
  const changes = [
    'last_seq = last_seq + ?',
    'last_event_at = CASE WHEN last_event_at >= ? THEN last_event_at ELSE ? END + ?',
    'updated_at = ?',
    ...(isProgress ? ['crashes = 0'] : []),
    ...(usage.input + usage.output > 0 ? ['input_tokens = input_tokens + ?, output_tokens = output_tokens + ?'] : []),
    ...(status === 'running' ? [] : ['status = ?, wake_at = NULL, lease_owner = NULL, budget_hold = NULL']),
    ...(retryAt === null ? [] : ['budget_retry_at = ?']),
    ...(asksPerson(events) ? ['decision_due_at = ? + decision_timeout_ms'] : []),
    ...more.map(({ text }) => text),
  ];
  return sql(
    `UPDATE tasks SET ${changes.join(', ')} WHERE account_id = ? AND id = ? AND fence = ?
     ${expectSeq === null ? '' : 'AND last_seq = ?'} ${args.isBudgeted ? '' : whileUnlimited(events, status)} RETURNING last_seq, last_event_at, title, session_cost, last_model,
       charged_model, charged_cost, project_id, ${hasReceivers}, ${watcher}`,
    events.length,
    now - 1,
    now - 1,
    events.length,
    now,
    ...(usage.input + usage.output > 0 ? [usage.input, usage.output] : []),
    ...(status === 'running' ? [] : [status]),
    ...(retryAt === null ? [] : [retryAt]),
    ...(asksPerson(events) ? [now] : []),
    ...more.flatMap(({ params }) => params),
    accountId,
    taskId,
    fence,
    ...(expectSeq === null ? [] : [expectSeq]),
  );
}

/** Adds references from the task to delivered files, which stay as long as the log that mentions them. */
function* addDeliveredReferences({ accountId, taskId, events }: AppendArgs): Script<void> {
  const blobIds = events.flatMap((event) => {
    if (event.type === 'site_made') return [event.blobId];
    if (event.type === 'file_fetched') return event.attachment ? [event.attachment.blobId] : [];
    if (event.type !== 'file_delivered') return listEventPictures(event);
    const { blobId, forms } = event.attachment;
    return forms ? [blobId, forms.html.blobId, forms.pptx.blobId] : [blobId];
  });
  if (blobIds.length === 0) return;
  if (yield* addBlobReferences(accountId, blobIds, `task:${taskId}`)) return;
  throw new Fault('internal', 'A delivered file is gone.', { detail: 'its blob was swept before it was logged' });
}

/** Appends to the log of a task on behalf of the worker that holds it. */
export const appendEvents: StoreOperation<AppendArgs, AppendResult> = {
  name: 'leases.append',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const { accountId, taskId, events } = args;
    const status = applyEvents('running', events);
    const [[head] = []] = yield [advanceHead(args, status)];
    if (!head) {
      const row = yield* selectFirst('SELECT fence, last_seq FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId);
      if (!row || taskRow.fence(row) !== args.fence) return { outcome: 'lost' };
      const isBehind = args.expectSeq !== null && taskRow.last_seq(row) !== args.expectSeq;
      return { outcome: isBehind ? 'behind' : 'budgeted' };
    }
    const firstSeq = taskRow.last_seq(head) - events.length + 1;
    const firstAtMs = taskRow.last_event_at(head) - events.length + 1;
    const reports = findReports(events, firstSeq);
    const receivers = reports.length > 0 ? yield* findReceivers(head, accountId, taskId) : [];
    const { statements, isDue } = queueDeliveries(receivers, { ...args, title: taskRow.title(head), reports });
    const notices = queueNotices(head, args, events, firstSeq);
    const bill = { accountId, taskId, session: taskRow.last_seq(head), cost: taskRow.session_cost(head), now: args.now };
    const isBilled = status !== 'running' && !isFreeSession(args) && !isPaidByOwnKey(bill.cost, taskRow.last_model(head));
    yield* addDeliveredReferences(args);
    const inserts = [
      insertEvents(accountId, taskId, firstSeq, firstAtMs, events),
      ...(isBilled ? [insertSession(bill, status === 'error')] : []),
      ...countCalls(head, args, status),
      ...storeDeliveries(args, events, args.now),
      ...statements,
      ...notices,
    ];
    // What takes care of budgets has further statements.
    yield args.isBudgeted ? inserts : lastStep(inserts);
    return { outcome: 'logged', firstSeq, firstAtMs, changed: null, isReported: isDue, isNoticed: notices.length > 0 };
  },
  announce({ taskId, events }, result) {
    if (result.outcome !== 'logged') return [];
    return [
      { topic: 'task', taskId },
      ...announceLibrary(events),
      ...announceDeliveries(result.isReported),
      ...announceNotices(result.isNoticed),
    ];
  },
  measure: ({ events }, { outcome }) => (outcome === 'logged' ? measureEnding(events) : []),
};
