import { z } from 'zod';
import { inboxItemId, inboxTypes, parseInboxItemId } from '../../rules/inbox/inbox-item.ts';
import { type InboxKey, itemNotFound } from '../../store/inbox/inbox-decisions.ts';
import type { InboxItem } from '../../store/inbox/inbox-items.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

/** Something that waits for a person (docs/build/inbox.md). */
export const inboxItemObject = z
  .object({
    id: z.string(),
    task_id: z.string(),
    task_title: z.string(),
    owner: z.string().meta({ description: 'Id of the account whose task it is.' }),
    type: z.enum(inboxTypes),
    text: z.string().meta({ description: 'The question, the action, or why the task failed.' }),
    input_schema: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'JSON Schema of `input`, for a confirmation.' }),
    created_at: unixTime,
    expires_at: unixTime.optional().meta({ description: 'When the time limit of the task decides it; absent without one.' }),
    assignee: z.string().optional().meta({ description: 'Id of the account that should decide.' }),
    decided_at: unixTime.optional(),
    decided_by: z.string().optional().meta({
      description:
        'Who decided: `session`, `api_key`, `app`, `chat`, `task_token`, `schedule`, or `trigger` with an id, `operator`, or `time_limit`.',
    }),
    decided_by_name: z
      .string()
      .optional()
      .meta({ description: 'The name that the API key or the chat had when the item was decided.' }),
    decided_by_account_id: z.string().optional().meta({ description: 'Id of the account whose credential it was.' }),
    accept: z.boolean().optional(),
    answer: z.string().optional(),
    note: z.string().optional(),
  })
  .meta({ id: 'InboxItem' });

export function presentInboxItem(item: InboxItem): z.input<typeof inboxItemObject> {
  const { accountId, taskId, seq, taskTitle, type, text, inputSchema, createdAtMs, expiresAtMs, assignee, decision } = item;
  return {
    ...{ id: inboxItemId(taskId, seq), task_id: taskId, task_title: taskTitle, owner: accountId, type, text },
    ...(inputSchema && { input_schema: inputSchema }),
    created_at: toUnixTime(createdAtMs),
    ...(expiresAtMs !== null && { expires_at: toUnixTime(expiresAtMs) }),
    ...(assignee !== null && { assignee }),
    ...(decision && {
      decided_at: toUnixTime(decision.decidedAtMs),
      decided_by: decision.decidedBy,
      ...(decision.deciderName !== null && { decided_by_name: decision.deciderName }),
      ...(decision.deciderAccountId !== null && { decided_by_account_id: decision.deciderAccountId }),
      ...(decision.accept !== null && { accept: decision.accept }),
      ...(decision.answer !== null && { answer: decision.answer }),
      ...(decision.note !== null && { note: decision.note }),
    }),
  };
}

export const itemId = requiredText('Identifier of the item, from inbox.list.');

/** The key of an item; 404 for a text that is no id. */
export function keyOfItem(id: string, { principal }: Context): InboxKey {
  const parts = parseInboxItemId(id);
  if (!parts) throw itemNotFound();
  return { accountId: principal.accountId, ...parts };
}
