import type { LoggedEvent, TaskEvent } from '../../../src/rules/events/task-event.ts';
import { creditsOf } from '../../../src/rules/credits/pricing.ts';
import type { RowValues } from '../../../src/store/db/store-operation.ts';
import type { AnyDeployment } from '../service/deployment.ts';
import type { StoredTask } from '../tasks/task-audit.ts';

/** The cost of a session according to its log, computed call by call in a different way than the service does. */
interface Bill {
  session: number;
  credits: number;
  /** Millionths of a credit. */
  cost: number;
  isRefunded: boolean;
  /** An interrupted wave of rows is also charged for the answers that were stored before, which the log does not name. */
  isLeast: boolean;
}

const starts = new Set(['model_started', 'extract_started', 'compact_started', 'rows_started', 'picture_started']);

function isStart({ type }: TaskEvent): boolean {
  return starts.has(type);
}

/** A call is charged as reported at its end, or as estimated if it has no end before the next call or the end of the session. */
function costOfSession(events: readonly TaskEvent[]): { cost: number; isLeast: boolean } {
  let cost = 0;
  let isLeast = false;
  for (const [index, event] of events.entries()) {
    if (!isStart(event)) continue;
    const rest = events.slice(index + 1);
    const next = rest.findIndex(isStart);
    const own = next < 0 ? rest : rest.slice(0, next);
    const end = own.find((each) => 'usage' in each && each.cost !== undefined);
    const estimate = 'estimatedCost' in event ? (event.estimatedCost ?? 0) : 0;
    cost += end && 'cost' in end ? (end.cost ?? 0) : estimate;
    isLeast ||= event.type === 'rows_started' && end === undefined;
  }
  return { cost, isLeast };
}

/** The expected bills of a log: one for every session, whatever happened to its workers. */
function billsOf(log: readonly LoggedEvent[]): Bill[] {
  const bills: Bill[] = [];
  let session: TaskEvent[] | null = [];
  for (const { seq, event } of log) {
    if (event.type === 'running') session = [];
    const isEnd = event.type === 'waiting' || event.type === 'stopped' || event.type === 'failed';
    if (session && isEnd) {
      // Records carry the last event of the write that ended the session, which the structured result may be.
      const delivered = log.find((each) => each.seq === seq + 1)?.event.type === 'extract_delivered';
      const { cost, isLeast } = costOfSession(session);
      bills.push({
        session: seq + (delivered ? 1 : 0),
        credits: creditsOf(cost),
        cost,
        isRefunded: event.type === 'failed',
        isLeast,
      });
      session = null;
    } else session?.push(event);
  }
  return bills;
}

interface Entry {
  type: string;
  credits: number;
}

function matches({ credits, isRefunded, isLeast }: Bill, entries: readonly Entry[]): boolean {
  const [cost, refund, ...more] = entries.toSorted((one, other) => one.type.localeCompare(other.type));
  if (cost?.type !== 'cost' || more.length > 0) return false;
  const isCharged = isLeast ? -cost.credits >= credits : -cost.credits === credits;
  const isReturned = isRefunded ? refund?.type === 'refund' && refund.credits === -cost.credits : refund === undefined;
  return isCharged && isReturned;
}

/** Checks that every session of a task is in the ledger once, with the cost from its log, and refunded once if it failed. */
export function auditBills(id: string, log: readonly LoggedEvent[], records: readonly RowValues[]): string[] {
  const bills = billsOf(log);
  const found = Map.groupBy(
    records.map(({ type, credits, session }) => ({ type: String(type), credits: Number(credits), session: Number(session) })),
    ({ session }) => session,
  );
  const isRight = found.size === bills.length && bills.every((bill) => matches(bill, found.get(bill.session) ?? []));
  return isRight ? [] : [`task ${id}: the log says ${JSON.stringify(bills)}, the ledger ${JSON.stringify(records)}`];
}

/** Checks that the usage by day has every call of every session once, if no task was deleted since. */
async function auditUsage(deployment: AnyDeployment, tasks: readonly StoredTask[]): Promise<string[]> {
  const [deleted] = await deployment.query(
    'SELECT COUNT(*) AS count FROM usage_records WHERE task_id IS NOT NULL AND task_id NOT IN (SELECT id FROM tasks)',
  );
  const [{ cost } = { cost: 0 }] = await deployment.query(
    `SELECT SUM(cost) AS cost FROM (SELECT cost FROM usage_calls UNION ALL SELECT cost FROM usage_days) u`,
  );
  const [count] = await deployment.query('SELECT COUNT(*) AS count FROM tasks');
  const bills = tasks.flatMap(({ log }) => billsOf(log));
  if (Number(deleted?.count) > 0 || Number(count?.count) !== tasks.length || bills.some(({ isLeast }) => isLeast)) return [];
  const expected = bills.reduce((sum, bill) => sum + bill.cost, 0);
  return expected === Number(cost) ? [] : [`the calls have cost ${expected}, the usage by day adds up to ${cost}`];
}

/** Checks the whole ledger against the logs of idle tasks, the tasks' own sums, and the API's responses. */
export async function auditLedger(deployment: AnyDeployment, tasks: readonly StoredTask[]): Promise<string[]> {
  const records = await deployment.query('SELECT task_id, type, credits, session FROM usage_records WHERE task_id IS NOT NULL');
  const byTask = Map.groupBy(records, (row) => String(row.task_id));
  const sums = new Map(
    (await deployment.query('SELECT id, credits FROM tasks')).map((row) => [String(row.id), Number(row.credits)]),
  );
  const problems = tasks.flatMap(({ id, log }) => auditBills(id, log, byTask.get(id) ?? []));
  for (const [id, rows] of byTask) {
    const sum = rows.reduce((total, { credits }) => total - Number(credits), 0);
    if (sums.has(id) && sums.get(id) !== sum)
      problems.push(`task ${id}: the ledger adds up to ${sum}, its row says ${sums.get(id)}`);
  }
  problems.push(...(await auditUsage(deployment, tasks)));
  const available = await deployment.client.ask('usage.availableCredits');
  const [row] = await deployment.query('SELECT SUM(credits) AS total FROM usage_records');
  const { total_credits: total } = available.data as { total_credits: number };
  if (total !== Number(row?.total)) problems.push(`available are ${total}, the records add up to ${row?.total}`);
  return problems;
}
