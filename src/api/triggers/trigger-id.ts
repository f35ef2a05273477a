import { isId } from '@errand/base/ids.ts';
import { type TriggerKey, triggerNotFound } from '../../store/triggers/trigger-row.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

export const triggerId = requiredText('Identifier of the trigger.');

/** The key of the caller's trigger; 404 for an invalid id. */
export function keyOfTrigger(id: string, { principal }: Pick<Context, 'principal'>): TriggerKey {
  if (!isId(id)) throw triggerNotFound();
  return { accountId: principal.accountId, triggerId: id };
}
