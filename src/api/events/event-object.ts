import { z } from 'zod';
import type { PublicEvent } from '../../rules/events/present.ts';
import { taskStatuses } from '../../rules/events/task-event.ts';

const attachments = z.array(z.object({ type: z.string(), filename: z.string(), url: z.string(), content_type: z.string() }));

/** Each event carries its payload under the key named by its type (docs/reference/wire-format.md#events). */
const payloads = {
  user_message: z.object({
    content: z.string(),
    message_type: z.enum(['text', 'voice']),
    attachments,
    pending_files: z
      .array(z.object({ filename: z.string() }))
      .optional()
      .meta({
        description:
          'Files of the message that were still being fetched from their URLs when it was answered; absent if there were none.',
      }),
    author: z.string().optional().meta({
      description:
        'Id of the account whose person wrote it; absent if that is the owner of the task, and for readers of a public share.',
    }),
  }),
  assistant_message: z.object({ content: z.string(), attachments }),
  error_message: z.object({ error_type: z.string(), content: z.string() }),
  status_update: z.object({
    agent_status: z.enum(taskStatuses),
    brief: z.string(),
    description: z.string(),
    status_detail: z
      .object({
        waiting_for_event_id: z.string(),
        waiting_for_event_type: z.string(),
        waiting_description: z.string(),
        confirm_input_schema: z.record(z.string(), z.unknown()),
        reason: z.enum(['no_model']),
      })
      .partial(),
  }),
  user_stop: z.object({}),
  structured_output_result: z.object({ success: z.boolean(), value: z.unknown(), error: z.string().nullable() }),
  tool_used: z.object({
    tool: z.string(),
    action_id: z.string(),
    status: z.enum(['success', 'error', 'rollback']),
    brief: z.string(),
    description: z.string(),
    message: z.object({ action: z.string(), param: z.string() }),
    params: z.record(z.string(), z.unknown()).optional().meta({ description: 'Present for an action that awaits confirmation.' }),
    declined: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if the call did not run, because a person declined it or nobody confirmed it in time.' }),
    pictures: z
      .array(z.object({ path: z.string(), url: z.string() }))
      .optional()
      .meta({ description: 'The chart or picture that the call has made, scaled down; present if its model was shown it.' }),
  }),
  plan_update: z.object({
    steps: z.array(
      z.object({
        status: z.enum(['todo', 'doing', 'done', 'failed']),
        title: z.string(),
        started_at: z.int().nullable(),
        end_at: z.int().nullable(),
      }),
    ),
  }),
  new_plan_step: z.object({ step_id: z.string(), title: z.string() }),
  explanation: z.object({ content: z.string() }),
  model_waiting: z.object({
    provider: z.string(),
    model: z.string(),
    since: z.int().meta({ description: 'Unix time in seconds of the first failed call.' }),
    next_try_at: z.int().meta({ description: 'Unix time in seconds.' }),
  }),
  step_repeated: z.object({
    tool: z.string(),
    action_id: z.string(),
    attempt: z.int(),
    reason: z.enum(['drain', 'takeover', 'crash']),
    first_started_at: z.int().meta({ description: 'Unix time in seconds.' }),
  }),
  budget_warning: z.object({
    scope: z.string().meta({ description: '`task`, or what else the budget limits.' }),
    period: z.string().meta({ description: '`reply`, `day` or `month`.' }),
    credits: z.int(),
    used: z.int(),
  }),
  process_lost: z.object({
    processes: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['process', 'python', 'javascript']),
        title: z.string().meta({ description: 'The command; empty for a session of a language.' }),
      }),
    ),
  }),
};

type EventType = keyof typeof payloads;

function eventOf(type: EventType) {
  return z.object({
    id: z.string(),
    type: z.literal(type),
    timestamp: z.int().meta({ description: 'Unix time in milliseconds.' }),
    [type]: payloads[type],
  });
}

const [first, ...others] = (Object.keys(payloads) as EventType[]).map(eventOf);
if (!first) throw new Error('there are no events');

/** An event of listMessages and of the stream. Its type is that of `present`, which this validates in detail. */
export const eventObject: z.ZodType<PublicEvent, PublicEvent> = z
  .discriminatedUnion('type', [first, ...others])
  .meta({ id: 'TaskEvent' }) as unknown as z.ZodType<PublicEvent, PublicEvent>;
