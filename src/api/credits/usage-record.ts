import { z } from 'zod';
import { nameOf } from './team-usage-fields.ts';
import { type UsageRecord, usageTypes } from '../../store/credits/usage-ledger.ts';

/** A change of credits (docs/reference/api.md#usage-record). */
export const usageRecord = z
  .object({
    task_id: z.string().meta({ description: 'Empty for what no task was charged or given.' }),
    title: z.string().meta({ description: 'Of the task as it is called now; `Deleted conversation` once it is deleted.' }),
    credits: z.int().meta({ description: 'Negative: consumed or taken; positive: given back or granted.' }),
    created_at: z.int().meta({ description: 'Unix time in seconds.' }),
    type: z.enum(usageTypes),
    collaborate_infos: z
      .array(z.object({ user_id: z.string(), user_name: z.string(), credits: z.int() }))
      .meta({ description: 'Who used the credits, for a task that the team may see; empty for others.' }),
  })
  .meta({ id: 'UsageRecord' });

const deletedTitle = 'Deleted conversation';

export function presentUsage(record: UsageRecord): z.input<typeof usageRecord> {
  const { taskId, title, credits, createdAtMs, type, collaborator } = record;
  return {
    task_id: taskId ?? '',
    title: title ?? deletedTitle,
    credits,
    created_at: Math.floor(createdAtMs / 1000),
    type,
    collaborate_infos: collaborator ? [{ user_id: collaborator.accountId, user_name: nameOf(collaborator.email), credits }] : [],
  };
}
