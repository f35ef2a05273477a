import { z } from 'zod';
import { nameOf } from './team-usage-fields.ts';
import { type UsageRecord, usageTypes } from '../../store/credits/usage-ledger.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** A change of credits (docs/reference/api.md#usage-record). */
export const usageRecord = z
  .object({
    task_id: z.string().meta({ description: 'Empty if the transaction belongs to no task.' }),
    title: z.string().meta({ description: "The task's current title; `Deleted conversation` once it is deleted." }),
    credits: z.int().meta({ description: 'Negative: consumed or deducted; positive: refunded or granted.' }),
    created_at: unixTime,
    type: z.enum(usageTypes),
    collaborate_infos: z
      .array(z.object({ user_id: z.string(), user_name: z.string(), credits: z.int() }))
      .meta({ description: 'Who used the credits, for tasks visible to the team; otherwise empty.' }),
  })
  .meta({ id: 'UsageRecord' });

const deletedTitle = 'Deleted conversation';

export function presentUsage(record: UsageRecord): z.input<typeof usageRecord> {
  const { taskId, title, credits, createdAtMs, type, collaborator } = record;
  return {
    task_id: taskId ?? '',
    title: title ?? deletedTitle,
    credits,
    created_at: toUnixTime(createdAtMs),
    type,
    collaborate_infos: collaborator ? [{ user_id: collaborator.accountId, user_name: nameOf(collaborator.email), credits }] : [],
  };
}
