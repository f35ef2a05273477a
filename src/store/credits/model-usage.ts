/**
 * What model calls have used, by day, project, and model.
 *
 * A call is added in the transaction that logs its end, which proves the fence, so it counts once whatever happens to its worker. Calls are
 * first rows of their own and are added up later: so the end of a call touches no row that other tasks of the account need, and what a
 * reader adds up does not grow with the history.
 */
import { deriveId } from '@errand/base/ids.ts';
import { dayMs } from '../../rules/credits/credit-balance.ts';
import { type CallUsage, listCallUsage } from '../../rules/credits/model-usage.ts';
import { meterEvents } from '../../rules/credits/pricing.ts';
import type { TaskEvent, TaskStatus } from '../../rules/events/task-event.ts';
import { integer, tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import {
  placeholders,
  type Row,
  type Script,
  selectAll,
  sql,
  type SqlValue,
  type Statement,
  type StoreOperation,
} from '../db/store-operation.ts';
import { isMetered } from './session-meter.ts';

/** How many calls are added up at once. */
const foldedAtOnce = 2000;

const callRow = tableCodec('usage_calls', {
  account_id: text,
  id: text,
  at: integer,
  project_id: text,
  model: text,
  input: integer,
  output: integer,
  cached: integer,
  cost: integer,
});
const readCall = callRow.pick('at, project_id, model, input, output, cached, cost');

/** Where calls are counted. */
export interface CountedCalls {
  accountId: string;
  taskId: string;
  projectId: string | null;
  /** Sequence number of the last event of the append. */
  seq: number;
  now: number;
}

/** Adds calls to those that are not added up yet. */
export function insertCalls({ accountId, taskId, projectId, seq, now }: CountedCalls, calls: readonly CallUsage[]): Statement[] {
  if (calls.length === 0) return [];
  const params = calls.flatMap(({ model, input, output, cached, cost }, index): SqlValue[] => {
    return [accountId, deriveId(now, `${taskId} ${seq} call ${index}`), now, projectId ?? '', model, input, output, cached, cost];
  });
  const columns = 'account_id, id, at, project_id, model, input, output, cached, cost';
  return [sql(`INSERT INTO usage_calls (${columns}) VALUES ${placeholders(calls.length, 9)}`, ...params)];
}

/** What a worker appends to a task. */
interface Appended {
  accountId: string;
  taskId: string;
  events: readonly TaskEvent[];
  now: number;
}

/** The calls that end with what a worker appends; `head` is the row of the task after it. */
export function countCalls(head: Row, { accountId, taskId, events, now }: Appended, status: TaskStatus): Statement[] {
  if (!isMetered(meterEvents(events), status)) return [];
  const before = { model: taskRow.charged_model(head), cost: taskRow.charged_cost(head) };
  const counted = { accountId, taskId, projectId: taskRow.project_id(head), seq: taskRow.last_seq(head), now };
  return insertCalls(counted, listCallUsage(events, before, status !== 'running'));
}

interface Sum {
  day: number;
  projectId: string;
  model: string;
  values: [calls: number, input: number, output: number, cached: number, cost: number];
}

/** The sums of calls, in the order of their key: concurrent writers lock the rows in the same order. */
function addUp(rows: Row[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { at, projectId, model, input, output, cached, cost } of rows.map(readCall.read)) {
    const day = Math.floor(at / dayMs);
    const key = `${day} ${projectId} ${model}`;
    const [calls, inputs, outputs, caches, costs] = sums.get(key)?.values ?? [0, 0, 0, 0, 0];
    sums.set(key, {
      day,
      projectId,
      model,
      values: [calls + 1, inputs + input, outputs + output, caches + cached, costs + cost],
    });
  }
  return [...sums.keys()].toSorted().flatMap((key) => sums.get(key) ?? []);
}

function* takeCalls(accountId: string): Script<Row[]> {
  return yield* selectAll(
    `DELETE FROM usage_calls WHERE account_id = ? AND id IN
       (SELECT id FROM usage_calls WHERE account_id = ? ORDER BY id LIMIT ?) RETURNING ${readCall.columns}`,
    accountId,
    accountId,
    foldedAtOnce,
  );
}

/** Adds calls of an account to the sums of their days; true if there may be more. */
export const foldCalls: StoreOperation<{ accountId: string }, boolean> = {
  name: 'usage.fold',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run({ accountId }) {
    const rows = yield* takeCalls(accountId);
    const sums = addUp(rows);
    if (sums.length > 0) {
      yield [
        sql(
          `INSERT INTO usage_days (account_id, day, project_id, model, calls, input, output, cached, cost)
           VALUES ${placeholders(sums.length, 9)} ON CONFLICT (account_id, day, project_id, model) DO UPDATE SET
             calls = usage_days.calls + excluded.calls, input = usage_days.input + excluded.input,
             output = usage_days.output + excluded.output, cached = usage_days.cached + excluded.cached,
             cost = usage_days.cost + excluded.cost`,
          ...sums.flatMap(({ day, projectId, model, values }) => [accountId, day, projectId, model, ...values]),
        ),
      ];
    }
    return rows.length === foldedAtOnce;
  },
};

/** Some accounts with calls that are not added up, after `afterAccount`. */
export const findUnfolded: StoreOperation<{ afterAccount: string; limit: number }, string[]> = {
  name: 'usage.findUnfolded',
  access: 'read',
  *run({ afterAccount, limit }) {
    const rows = yield* selectAll(
      `WITH RECURSIVE open (account_id) AS (
         SELECT (SELECT MIN(account_id) FROM usage_calls WHERE account_id > ?)
         UNION ALL
         SELECT (SELECT MIN(u.account_id) FROM usage_calls u WHERE u.account_id > open.account_id)
         FROM open WHERE open.account_id IS NOT NULL
       )
       SELECT account_id FROM open WHERE account_id IS NOT NULL LIMIT ?`,
      afterAccount,
      limit,
    );
    return rows.map(callRow.account_id);
  },
};
