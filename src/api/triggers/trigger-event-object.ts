import { z } from 'zod';
import { triggerCauses, type TriggerEvent, triggerOutcomes } from '../../store/triggers/trigger-events.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** Characters of a body in a list. */
const shownBody = 4000;

/** What a trigger was sent (docs/reference/wire-format.md#triggers). */
export const triggerEventObject = z
  .object({
    id: z.string(),
    trigger_id: z.string(),
    created_at: unixTime,
    cause: z.enum(triggerCauses),
    outcome: z.enum(triggerOutcomes).meta({
      description: '`refused`: not proven to be from the sender, or not readable; `failed`: no task could be started.',
    }),
    task_id: z.string().optional().meta({ description: 'The task that it started, or that its id had started before.' }),
    error: z.string().optional().meta({ description: 'Why it was refused or failed.' }),
    notes: z
      .array(z.string())
      .meta({ description: 'What the message lacks, such as a pointer that found nothing, or why a mail started nothing.' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'The headers that say what was sent; never a secret or a signature.' }),
    body: z.string().optional().meta({ description: 'Its first 4,000 characters; absent if it was refused or over 64 KB.' }),
    body_bytes: z.int(),
    is_replayable: z.boolean(),
  })
  .meta({ id: 'TriggerEvent' });

export function presentTriggerEvent(event: TriggerEvent): z.input<typeof triggerEventObject> {
  const { id, triggerId, createdAtMs, cause, outcome, taskId, problem, notes, headers, body, bodyBytes } = event;
  return {
    ...{ id, trigger_id: triggerId, created_at: toUnixTime(createdAtMs), cause, outcome },
    ...(taskId !== null && { task_id: taskId }),
    ...(problem !== null && { error: problem }),
    ...{ notes, headers },
    ...(body !== null && { body: body.slice(0, shownBody).toWellFormed() }),
    ...{ body_bytes: bodyBytes, is_replayable: body !== null },
  };
}
