import { costPerCredit, type MeterChange } from '../../rules/credits/pricing.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import { isOwnInSql } from '../../rules/instance/own-model.ts';
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

/** Whether events change the meter of a session at all. */
export function isMetered({ open }: MeterChange, status: TaskStatus): boolean {
  return status !== 'running' || open !== null;
}

/**
 * How events change the meter of a session. When the session ends, it is billed and added to the task's credits, unless it is free
 * or has used a key of the account only.
 * `charged_model` and `charged_cost` get what was open before, because no database returns the values that an UPDATE has replaced.
 */
export function changeMeter(
  { chargesOpen, cost, open }: MeterChange,
  status: TaskStatus,
  { isFree, model }: { isFree: boolean; model: string | undefined },
): MeterUpdate[] {
  if (!isMetered({ chargesOpen, cost, open }, status)) return [];
  const isOver = status !== 'running';
  const chargesAll = chargesOpen || (isOver && open === null);
  const total = `session_cost ${chargesAll ? '+ open_cost ' : ''}+ ?`;
  const added = isOver ? cost + (open ?? 0) : cost;
  const meter: MeterUpdate = {
    text: `charged_model = last_model, charged_cost = open_cost, session_cost = ${total}, open_cost = ?`,
    params: [added, isOver ? 0 : open],
  };
  if (model !== undefined) meter.text += ', last_model = ?';
  if (model !== undefined) meter.params.push(model);
  // A session that ends with an error is refunded immediately.
  if (!isOver || status === 'error' || isFree) return [meter];
  const isOwn = `${isOwnInSql('last_model')} AND (${total}) = 0`;
  const credits = `CASE WHEN ${isOwn} THEN 0 ELSE ${creditsInSql(`(${total})`)} END`;
  return [meter, { text: `credits = credits + ${credits}`, params: [added, added, added] }];
}
