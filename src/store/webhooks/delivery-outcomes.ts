import type { Verdict } from '../../rules/webhooks/retry-schedule.ts';
import { type AttemptRecord, deliveryRow } from './delivery-log.ts';
import {
  compareText,
  type StoreOperation,
  padToPowerOfTwo,
  placeholders,
  repeat,
  type Script,
  sql,
  selectAll,
  type SqlValue,
  type Statement,
} from '../db/store-operation.ts';

/** The outcome of one claimed delivery. */
export interface DeliveryOutcome {
  accountId: string;
  id: string;
  fence: number;
  webhookId: string;
  /** `cut`: the attempt was interrupted by a shutdown and does not count. */
  verdict: Verdict | 'cut';
  /** Milliseconds until the next attempt, null after the last. */
  retryInMs: number | null;
  /** The stored attempts of the delivery, including this one. */
  log: readonly AttemptRecord[];
}

interface RecordArgs {
  outcomes: readonly DeliveryOutcome[];
  /** A webhook that has failed continuously for this long is disabled. */
  unbrokenFailureMs: number;
}

function statusAfter({ verdict, retryInMs }: DeliveryOutcome): 'pending' | 'delivered' | 'failed' {
  if (verdict === 'delivered') return 'delivered';
  return verdict === 'cut' || retryInMs !== null ? 'pending' : 'failed';
}

const outcomeRow = '(?, ?, CAST(? AS BIGINT), ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS INTEGER), ?)';

function paramsOf(outcome: DeliveryOutcome): SqlValue[] {
  const { accountId, id, fence, verdict, retryInMs, log } = outcome;
  const status = statusAfter(outcome);
  const [waitMs, endedMs] = status === 'pending' ? [retryInMs ?? 0, null] : [null, 0];
  return [accountId, id, fence, status, waitMs, endedMs, verdict === 'cut' ? 0 : 1, JSON.stringify(log)];
}

/** Stores all outcomes whose claim is still valid and returns them. Locks deliveries in id order. */
function* storeOutcomes(outcomes: readonly DeliveryOutcome[]): Script<DeliveryOutcome[]> {
  const padded = padToPowerOfTwo(outcomes);
  const claims = repeat('(?, ?, CAST(? AS BIGINT))', padded.length);
  const lock = sql(
    `SELECT id FROM deliveries WHERE (account_id, id, fence) IN (VALUES ${claims}) AND lease_owner IS NOT NULL ORDER BY id FOR UPDATE`,
    ...padded.flatMap(({ accountId, id, fence }) => [accountId, id, fence]),
  );
  const update = sql(
    `UPDATE deliveries SET status = v.column4, ready_at = errand_now() + v.column5, ended_at = errand_now() + v.column6,
       lease_owner = NULL, attempts = attempts + v.column7, tries = tries + v.column7, log = v.column8
     FROM (VALUES ${repeat(outcomeRow, padded.length)}) AS v
     WHERE account_id = v.column1 AND id = v.column2 AND fence = v.column3 AND lease_owner IS NOT NULL RETURNING id`,
    ...padded.flatMap(paramsOf),
  );
  const [, rows = []] = yield [lock, update];
  const stored = new Set(rows.map(deliveryRow.id));
  return outcomes.filter(({ id }) => stored.has(id));
}

/** Deletes ended deliveries of tasks that no longer exist. Pending ones stay until they are sent. */
function deleteEndedDeliveries(ended: readonly DeliveryOutcome[]): Statement[] {
  if (ended.length === 0) return [];
  const padded = padToPowerOfTwo(ended);
  return [
    sql(
      `DELETE FROM deliveries WHERE (account_id, id) IN (VALUES ${placeholders(padded.length, 2)})
       AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.account_id = COALESCE(deliveries.task_account_id, deliveries.account_id) AND t.id = deliveries.task_id)`,
      ...padded.flatMap(({ accountId, id }) => [accountId, id]),
    ),
  ];
}

const disable = "UPDATE webhooks SET status = 'inactive' WHERE account_id = ? AND id = ? AND status = 'active'";

/** Applies an outcome to its webhook. Statements that disable the webhook return its id. */
function recordVerdict({ accountId, webhookId, verdict }: DeliveryOutcome, unbrokenFailureMs: number): Statement[] {
  switch (verdict) {
    case 'cut':
      return [];
    case 'delivered':
      return [
        sql(
          'UPDATE webhooks SET failing_since = NULL WHERE account_id = ? AND id = ? AND failing_since IS NOT NULL',
          accountId,
          webhookId,
        ),
      ];
    case 'gone':
      return [sql(`${disable} RETURNING id`, accountId, webhookId)];
    case 'failed':
      return [
        sql(
          'UPDATE webhooks SET failing_since = errand_now() WHERE account_id = ? AND id = ? AND failing_since IS NULL',
          accountId,
          webhookId,
        ),
        sql(`${disable} AND failing_since <= errand_now() - ? RETURNING id`, accountId, webhookId, unbrokenFailureMs),
      ];
  }
}

/**
 * The outcomes in order of arrival for each webhook, webhooks in order of their ids. Of equal verdicts in a row, only the first is kept.
 */
function verdictsByWebhook(outcomes: readonly DeliveryOutcome[]): DeliveryOutcome[] {
  const sorted = outcomes.toSorted((a, b) => compareText(a.webhookId, b.webhookId));
  return sorted.filter((outcome, index) => {
    const before = sorted[index - 1];
    return before?.webhookId !== outcome.webhookId || before.verdict !== outcome.verdict;
  });
}

/**
 * Stores the outcomes of attempts: each delivery's next attempt or its end, and the effect on the webhook, in one transaction. Outcomes of
 * lost claims are dropped. Returns the webhooks that were disabled.
 */
export const recordOutcomes: StoreOperation<RecordArgs, string[]> = {
  name: 'deliveries.record',
  access: 'exclusive',
  *run({ outcomes, unbrokenFailureMs }) {
    const stored = yield* storeOutcomes(outcomes);
    const ended = stored.filter((outcome) => statusAfter(outcome) !== 'pending');
    const verdicts = verdictsByWebhook(stored).flatMap((outcome) => recordVerdict(outcome, unbrokenFailureMs));
    if (verdicts.length + ended.length === 0) return [];
    const answers = yield [...verdicts, ...deleteEndedDeliveries(ended)];
    return answers.flat().map((row) => deliveryRow.id(row));
  },
  announce: ({ outcomes }) => (outcomes.some(({ verdict }) => verdict === 'cut') ? [{ topic: 'deliveries' }] : []),
  measure: ({ outcomes }) => outcomes.map(({ verdict }) => ({ counter: 'errand_deliveries_total', labels: { result: verdict } })),
};

/**
 * Ends every lease as if its worker had died. Only for a store that no other process can have open: after a crash the next start resends at
 * once what was in progress.
 */
export const expireDeliveryLeases: StoreOperation<null, null> = {
  name: 'deliveries.expireLeases',
  access: 'exclusive',
  *run() {
    yield* selectAll(
      `UPDATE deliveries SET ready_at = errand_now(), lease_owner = NULL
       WHERE webhook_id > '' AND ready_at IS NOT NULL AND lease_owner IS NOT NULL RETURNING id`,
    );
    return null;
  },
  announce: () => [{ topic: 'deliveries' }],
};
