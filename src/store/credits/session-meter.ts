import { costPerCredit, type MeterChange } from '../../rules/credits/pricing.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { SqlValue } from '../db/store-operation.ts';

/** `creditsOf` in SQL, for an expression of the cost, which occurs in it twice. The cast makes it an integer division. */
export function creditsInSql(cost: string): string {
  return `CASE WHEN ${cost} <= ${costPerCredit} THEN 1 ELSE (CAST(${cost} AS BIGINT) + ${costPerCredit - 1}) / ${costPerCredit} END`;
}

/** A part of an UPDATE of a task with its parameters. */
export interface MeterUpdate {
  text: string;
  params: SqlValue[];
}

/** How events change the meter of a session. When the session ends, it is billed and added to the task's credits, unless it is free. */
export function changeMeter({ chargesOpen, cost, open }: MeterChange, status: TaskStatus, isFree: boolean): MeterUpdate[] {
  const isOver = status !== 'running';
  if (!isOver && open === null) return [];
  const chargesAll = chargesOpen || (isOver && open === null);
  const total = `session_cost ${chargesAll ? '+ open_cost ' : ''}+ ?`;
  const added = isOver ? cost + (open ?? 0) : cost;
  const meter: MeterUpdate = { text: `session_cost = ${total}, open_cost = ?`, params: [added, isOver ? 0 : open] };
  // A session that ends with an error is refunded immediately.
  if (!isOver || status === 'error' || isFree) return [meter];
  return [meter, { text: `credits = credits + ${creditsInSql(`(${total})`)}`, params: [added, added] }];
}
