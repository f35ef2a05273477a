import type { LoggedEvent, TaskEvent } from '../../../src/rules/events/task-event.ts';
import { creditsOf } from '../../../src/rules/credits/pricing.ts';
import type { RowValues } from '../../../src/store/db/store-operation.ts';
import type { AnyDeployment } from '../service/deployment.ts';
import type { StoredTask } from '../tasks/task-audit.ts';

/** The cost of a session according to its log, computed call by call in a different way than the service does. */
interface Bill {
  session: number;
  credits: number;
  isRefunded: boolean;
}

function isStart({ type }: TaskEvent): boolean {
  return type === 'model_started' || type === 'extract_started' || type === 'compact_started' || type === 'rows_started';
}

/** A call is charged as reported at its end, or as estimated if it has no end before the next call or the end of the session. */
function costOfSession(events: readonly TaskEvent[]): number {
  let cost = 0;
  for (const [index, event] of events.entries()) {
    if (!isStart(event)) continue;
    const rest = events.slice(index + 1);
    const next = rest.findIndex(isStart);
    const own = next < 0 ? rest : rest.slice(0, next);
    const end = own.find((each) => 'usage' in each && each.cost !== undefined);
    const estimate = 'estimatedCost' in event ? (event.estimatedCost ?? 0) : 0;
    cost += end && 'cost' in end ? (end.cost ?? 0) : estimate;
  }
  return cost;
}

/** The expected bills of a log: one for every session, whatever happened to its workers. */
export function billsOf(log: readonly LoggedEvent[]): Bill[] {
  const bills: Bill[] = [];
  let session: TaskEvent[] | null = [];
  for (const { seq, event } of log) {
    if (event.type === 'running') session = [];
    const isEnd = event.type === 'waiting' || event.type === 'stopped' || event.type === 'failed';
    if (session && isEnd) {
      // Records carry the last event of the write that ended the session, which the structured result may be.
      const delivered = log.find((each) => each.seq === seq + 1)?.event.type === 'extract_delivered';
      bills.push({
        session: seq + (delivered ? 1 : 0),
        credits: creditsOf(costOfSession(session)),
        isRefunded: event.type === 'failed',
      });
      session = null;
    } else session?.push(event);
  }
  return bills;
}

function describeBill({ session, credits, isRefunded }: Bill): string[] {
  return [`cost ${-credits} at ${session}`, ...(isRefunded ? [`refund ${credits} at ${session}`] : [])];
}

/** Checks that every session of a task is in the ledger once, with the cost from its log, and refunded once if it failed. */
export function auditBills(id: string, log: readonly LoggedEvent[], records: readonly RowValues[]): string[] {
  const expected = billsOf(log).flatMap(describeBill).toSorted();
  const found = records.map(({ type, credits, session }) => `${type} ${credits} at ${session}`).toSorted();
  return expected.join() === found.join()
    ? []
    : [`task ${id}: the log says ${expected.join(', ')}, the ledger ${found.join(', ')}`];
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
  const available = await deployment.client.ask('usage.availableCredits');
  const [row] = await deployment.query('SELECT SUM(credits) AS total FROM usage_records');
  const { total_credits: total } = available.data as { total_credits: number };
  if (total !== Number(row?.total)) problems.push(`available are ${total}, the records add up to ${row?.total}`);
  return problems;
}
