import { z } from 'zod';
import { costPerCredit } from '../../../rules/credits/pricing.ts';
import type { LoggedEvent } from '../../../rules/events/task-event.ts';
import { findCallPlace, findModelCall } from '../../../store/events/model-calls.ts';
import { getTask } from '../../../store/tasks/tasks.ts';
import { optional, taskId } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { keyOfTask } from '../../contract/owned-task.ts';
import { readEventSeq } from '../../events/event-position.ts';

const modelCall = z.object({
  model: z.string().nullable().meta({ description: 'Provider and model.' }),
  input_tokens: z.number(),
  cached_tokens: z.number().meta({ description: 'Part of the input that the provider served from its cache.' }),
  output_tokens: z.number(),
  credits: z
    .number()
    .nullable()
    .meta({ description: 'The cost of the call, not rounded; null if only an estimate was charged.' }),
  duration_ms: z.number().nullable(),
});

const toolCall = z.object({
  action_id: z.string(),
  tool: z.string(),
  input: z.string().meta({
    description: 'The whole command or code, up to 20,000 characters, or a path, query, or question; empty if no text says it.',
  }),
});

/** The call of a tool that the event is about, or without one the call that runs; null if there is none. */
async function presentToolCall(place: LoggedEvent | undefined, log: readonly LoggedEvent[], ownSeq: number | null) {
  const reply = log.at(-1)?.event;
  if (!place || reply?.type !== 'model_finished' || (ownSeq !== null && place.seq !== ownSeq)) return null;
  const { callAt, describeInput } = await import('../../../rules/events/call-input.ts');
  const call = callAt(
    place,
    reply.parts.filter((part) => part.type === 'call'),
    ownSeq !== null,
  );
  return call ? { action_id: call.id, tool: call.tool, input: describeInput(call) } : null;
}

/** How the log describes a call; null if there was none. */
function presentCall(log: readonly LoggedEvent[]): z.input<typeof modelCall> | null {
  const ended = log.at(-1);
  if (!ended || !('usage' in ended.event)) return null;
  const { usage, cost } = ended.event;
  // Copied from another task, which paid for it.
  if (usage.input === 0 && usage.output === 0) return null;
  const started = log.length > 1 ? log[0] : undefined;
  return {
    model: started && 'model' in started.event ? started.event.model : null,
    input_tokens: usage.input,
    cached_tokens: usage.cached,
    output_tokens: usage.output,
    credits: cost === undefined ? null : cost / costPerCredit,
    duration_ms: started ? ended.atMs - started.atMs : null,
  };
}

export const taskModelCall = defineOperation('GET', 'task.modelCall', {
  summary: 'Returns the model call that led to a step of a task, what it cost, and the call of a tool that the step is.',
  access: 'browser',
  request: z.object({
    task_id: taskId,
    event_id: optional(z.string()).meta({ description: 'The event of the step; the one that runs by default.' }),
  }),
  response: z.object({
    model_call: modelCall.nullable().meta({ description: 'Null if no model was called shortly before.' }),
    tool_call: toolCall.nullable().meta({ description: 'Null if the step calls no tool, or none runs.' }),
  }),
  async handle({ task_id: id, event_id: eventId }, context) {
    const task = await context.read(getTask, keyOfTask(id, context));
    const seq = eventId === undefined ? task.lastSeq : readEventSeq('event_id', task, eventId);
    const args = { accountId: task.accountId, taskId: task.id, seq };
    const [log, place] = await Promise.all([context.read(findModelCall, args), context.read(findCallPlace, args)]);
    return { model_call: presentCall(log), tool_call: await presentToolCall(place, log, eventId === undefined ? null : seq) };
  },
});
