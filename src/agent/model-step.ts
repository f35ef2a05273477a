import { pause } from '@errand/base/clock.ts';
import { type Model, ModelFault, type ModelReply, type ModelRequest, type ShownImage } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';
import { maxFailingMs, planModelRetry } from '../rules/tasks/model-retry.ts';
import { type Decision, nextStep } from '../rules/tasks/next-step.ts';
import { remindOfPlan } from '../rules/context/plan-reminder.ts';
import { explainOverrun, findOverrun, remindOfEnd } from '../rules/tasks/task-budget.ts';
import { costOf, type ModelPrice } from '../rules/credits/pricing.ts';
import type { DeliveredFile, TaskEvent, TokenUsage } from '../rules/events/task-event.ts';
import { foldAll, maxSubtaskDepth, type TaskState } from '../rules/tasks/task-state.ts';
import { appendEnding, failureEvents, finishEvents } from './ending.ts';
import { LeaseLost } from './journal.ts';
import { compactContext } from './compact-context.ts';
import { messageEvent } from './message-event.ts';
import type { Turn } from './agent-ports.ts';
import { systemPrompt } from './system-prompt.ts';

type ModelDecision = Extract<Decision, { do: 'model' }>;

interface Call {
  step: number;
  attempt: number;
  price: ModelPrice | null;
}

const noUsage: TokenUsage = { input: 0, output: 0, cached: 0 };

/** One model call: logged before it is made, and again with its outcome. */
export async function runModelStep(turn: Turn, { step, attempt, notBefore }: ModelDecision): Promise<void> {
  const { task, journal, ports } = turn;
  // Never longer than any planned pause: the clock may have been set back since.
  const waitMs = Math.min(notBefore - ports.clock.now(), maxFailingMs);
  if (waitMs > 0) await journal.attend((signal) => pause(ports.clock, waitMs, signal));
  const model = ports.modelFor(task.profile);
  const limit = findOverrun(journal.state, ports.budget);
  const { lastStep } = journal.state.turn;
  if (limit !== null && lastStep !== null && step > lastStep) return endOverrun(turn, limit);
  const estimatedInput = estimateInput(requestOf(turn, limit));
  if (await compactContext(turn, model, estimatedInput)) return;
  const estimatedCost = costOf({ ...noUsage, input: estimatedInput }, model.price);
  const begun = { step, attempt, model: model.name, estimatedInput, estimatedCost };
  await journal.append([{ type: 'model_started', ...begun, ...(limit !== null && { isLast: true as const }) }]);
  // Rebuilt: user messages up to the append above have been received by now.
  const request = requestOf(turn, limit);
  let at = 0;
  const onText = (text: string) => {
    ports.deltas.publish(task.taskId, { step, attempt, at, text });
    at += text.length;
  };
  const calling = journal.attend(async (signal) => {
    const images = model.canSee ? await loadImages(turn, request, model) : new Map<string, ShownImage>();
    return model.call(images.size > 0 ? { ...request, images } : request, { signal, onText });
  });
  const reply = await calling.catch((error: unknown) => failStep(turn, { attempt, step, price: model.price }, error));
  if (reply) await logReply(turn, { step, price: model.price }, reply);
}

/** If blob storage is unavailable, the call is retried later, as if the model were. */
async function loadImages(
  { task, ports }: Turn,
  { transcript }: ModelRequest,
  { window }: Model,
): Promise<ReadonlyMap<string, ShownImage>> {
  try {
    return await ports.images.load(task.accountId, transcript, window);
  } catch (error) {
    throw new ModelFault('unavailable', 'the images of the conversation could not be read', { cause: error });
  }
}

/** A task that is over its limit after its last step ends, unless the user has written meanwhile. */
async function endOverrun({ journal }: Turn, limit: string): Promise<void> {
  await journal.appendIfCurrent(failureEvents(journal.state, 'budget_exceeded', explainOverrun(limit)));
}

/** `limit`: the one that the task has reached, so that this is its last step. */
function requestOf({ task, journal, stepTools }: Turn, limit: string | null): ModelRequest {
  const reminder = limit === null ? remindOfPlan(journal.state.plan) : remindOfEnd(limit);
  return {
    ...(reminder !== null && { reminder }),
    system: systemPrompt({
      ...task,
      taskConfig: journal.state.taskConfig,
      skills: stepTools.skills.offered,
      memory: stepTools.memory ?? null,
    }),
    transcript: journal.state.transcript,
    tools: stepTools.toolbox.definitions({
      user: task.isInteractive,
      subtasks: task.depth < maxSubtaskDepth,
      skills: stepTools.skills.offered.length > 0,
      references: journal.state.references.length > 0,
    }),
  };
}

function textOf(reply: ModelReply): string {
  return reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** What a reply adds to the log: text beside tool calls explains them, text alone is the answer. */
function replyEvents(
  { step, price }: Pick<Call, 'step' | 'price'>,
  reply: ModelReply,
  delivered: readonly DeliveredFile[],
): TaskEvent[] {
  const text = textOf(reply);
  const hasCalls = reply.parts.some((part) => part.type === 'call');
  const { parts, usage } = reply;
  const finished: TaskEvent = { type: 'model_finished', step, parts, usage, cost: costOf(usage, price) };
  if (!hasCalls) return [finished, messageEvent(text, delivered)];
  return text.trim() === '' ? [finished] : [finished, { type: 'explained', text }];
}

/** The state as it will be when these events are logged right after it. */
function foresee(state: TaskState, events: readonly TaskEvent[]): TaskState {
  return foldAll(
    events.map((event, index) => ({ seq: state.seq + 1 + index, atMs: state.lastAtMs + 1 + index, event })),
    state,
  );
}

/** A reply that ends the turn is stored together with the end, unless the user has written meanwhile. */
async function logReply({ journal }: Turn, call: Pick<Call, 'step' | 'price'>, reply: ModelReply): Promise<void> {
  const events = replyEvents(call, reply, journal.state.delivered);
  const after = foresee(journal.state, events);
  if (nextStep(after).do === 'finish' && (await journal.appendIfCurrent([...events, ...finishEvents(after)]))) return;
  await journal.append(events);
}

const explanations = {
  refused: 'The language model refused the request',
  overloaded: 'The language model is overloaded',
  unavailable: 'The language model cannot be reached',
  malformed: 'The language model sent an answer that cannot be read',
} as const;

/** Logs a failed call: with the time of the retry, or with the end of the task if there is none. */
async function failStep({ journal, ports }: Turn, { attempt, step, price }: Call, error: unknown): Promise<null> {
  if (error instanceof LeaseLost || !(error instanceof ModelFault)) throw error;
  const nowMs = ports.clock.now();
  const failingSinceMs = journal.state.failingSince || nowMs;
  const plan = { attempt, nowMs, failingSinceMs, retryAfterMs: error.retryAfterMs, chance: ports.chance() };
  const retryAt = error.kind === 'refused' ? null : planModelRetry(plan);
  const failed: TaskEvent = {
    type: 'model_failed',
    step,
    attempt,
    reason: error.message,
    retryAt: retryAt ?? nowMs,
    usage: error.usage,
    cost: costOf(error.usage, price),
  };
  const text = `${explanations[error.kind]}: ${error.message}`;
  if (retryAt !== null) await journal.append([failed]);
  else await appendEnding(journal, (state) => [failed, ...failureEvents(state, `model_${error.kind}`, text)]);
  return null;
}
