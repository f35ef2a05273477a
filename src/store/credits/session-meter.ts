import { costPerCredit, type MeterChange } from '../../rules/credits/pricing.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { SqlValue } from '../db/store-operation.ts';

/** What `creditsOf` computes, for an expression that gives the cost; it appears there twice. The cast makes the division a whole one. */
export function creditsInSql(cost: string): string {
  return `CASE WHEN ${cost} <= ${costPerCredit} THEN 1 ELSE (CAST(${cost} AS BIGINT) + ${costPerCredit - 1}) / ${costPerCredit} END`;
}

/** A part of an UPDATE of a task with its parameters. */
export interface MeterUpdate {
  text: string;
  params: SqlValue[];
}

/** What the events do to the meter of the session. At its end everything is charged, and the task's credits grow by it. */
export function changeMeter({ chargesOpen, cost, open }: MeterChange, status: TaskStatus): MeterUpdate[] {
  const isOver = status !== 'running';
  if (!isOver && open === null) return [];
  const chargesAll = chargesOpen || (isOver && open === null);
  const total = `session_cost ${chargesAll ? '+ open_cost ' : ''}+ ?`;
  const added = isOver ? cost + (open ?? 0) : cost;
  const meter: MeterUpdate = { text: `session_cost = ${total}, open_cost = ?`, params: [added, isOver ? 0 : open] };
  // What an error ends is given back in the same breath.
  if (!isOver || status === 'error') return [meter];
  return [meter, { text: `credits = credits + ${creditsInSql(`(${total})`)}`, params: [added, added] }];
}
