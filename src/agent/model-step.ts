import { type Model, ModelFault, type ModelReply, type ModelRequest, type ShownImage } from '../models/model.ts';
import { estimateInput } from '../models/token-estimate.ts';
import { maxContinuations, readText } from '../rules/tasks/cut-reply.ts';
import { type Decision, foresee, nextStep } from '../rules/tasks/next-step.ts';
import { clearingReminder, remindAtPart, remindOfPlan, reminderMark } from '../rules/context/plan-reminder.ts';
import { isOwnModel } from '../rules/instance/own-model.ts';
import { explainOverrun, findLoop, findOverrun, remindOfEnd } from '../rules/tasks/turn-limits.ts';
import { listPictures } from '../rules/context/shown-pictures.ts';
import type { TranscriptEntry } from '../rules/context/transcript.ts';
import { describeSchema } from '../rules/output/output-gaps.ts';
import { costOf } from '../rules/credits/pricing.ts';
import type { TaskEvent, TokenUsage } from '../rules/events/task-event.ts';
import { maxSubtaskDepth, type TaskState } from '../rules/tasks/task-state.ts';
import { appendEnding, failureEvents, finishEvents } from './ending.ts';
import { LeaseLost } from './journal.ts';
import { awaitCall, callModel, chooseModel, isBlinder, planRetry } from './model-calls.ts';
import { compactContext } from './compact-context.ts';
import { messageEvent } from './outcome-events.ts';
import { createFileReport } from './output-report.ts';
import { beginPaidCall } from './paid-call.ts';
import type { StepTools, TaskRun } from './agent-ports.ts';
import { systemPrompt } from './system-prompt.ts';

type ModelDecision = Extract<Decision, { do: 'model' }>;

interface Call {
  step: number;
  attempt: number;
  model: Model;
}

const noUsage: TokenUsage = { input: 0, output: 0, cached: 0 };

/** Makes one model call, which is logged before it begins and again with its outcome. */
export async function runModelStep(run: TaskRun, { step, attempt, notBefore }: ModelDecision): Promise<void> {
  const { journal, ports } = run;
  await awaitCall(run, notBefore);
  const model = chooseModel(run);
  if (!(await showSchema(run, model))) return;
  const isKept = hasAnswer(journal.state);
  const loop = model.followsScript === true || isKept ? null : findLoop(journal.state);
  const limit = findOverrun(journal.state, ports.budget) ?? loop;
  const { lastStep } = journal.state.turn;
  if (limit !== null && lastStep !== null && step > lastStep && !isKept) return endOverrun(run, limit);
  const estimatedInput = estimateInput(requestOf(run, model, limit));
  if (await compactContext(run, model, estimatedInput)) return;
  const estimatedCost = costOf({ ...noUsage, input: estimatedInput }, model.price);
  const start = { step, attempt, model: model.name, estimatedInput, estimatedCost };
  const isLast = limit === null ? {} : { isLast: true as const };
  const started = { type: 'model_started' as const, ...start, ...isLast };
  if (await replyAtOnce(run, model, started, limit)) return;
  const bounds = await beginPaidCall(run, model, started);
  if (!bounds) return;
  // Rebuilt: user messages up to the append above have been received by now.
  const isFilling = estimatedInput * journal.state.inputRatio > model.window * remindAtPart;
  const request = { ...requestOf(run, model, limit, isFilling), ...bounds, attempt };
  const watcher = { onText: showText(run, journal.state, { step, attempt }), onInput: createFileReport(run) };
  const calling = callModel(run, model, 'step', async () => {
    const images = model.canSee ? await loadImages(run, request, model) : new Map<string, ShownImage>();
    return { request: images.size > 0 ? { ...request, images } : request, ...watcher };
  });
  const reply = await calling.catch((error: unknown) => failStep(run, { attempt, step, model }, error));
  if (reply) await logReply(run, { step, model }, reply);
}

/** Shows the text of a reply while it is written. A reply that continues over several steps is shown as one text. */
function showText({ task, ports }: TaskRun, state: TaskState, call: Pick<Call, 'step' | 'attempt'>): (text: string) => void {
  const { cutReply } = state;
  const place = cutReply ? { step: cutReply.step, attempt: cutReply.attempt } : { step: call.step, attempt: call.attempt };
  let at = cutReply?.text.length ?? 0;
  return (text) => {
    if (isSearching(state)) return;
    ports.deltas.publish(task.taskId, { ...place, at, text });
    at += text.length;
  };
}

/**
 * Makes a call that needs no waiting: its start is logged together with its reply, and with the end of the turn if that follows. If
 * something arrives meanwhile, nothing is logged and the next step repeats the call. False if the call has to begin like any other.
 */
async function replyAtOnce(
  run: TaskRun,
  model: Model,
  started: Extract<TaskEvent, { type: 'model_started' }>,
  limit: string | null,
): Promise<boolean> {
  const { journal } = run;
  if (!model.replyAtOnce || journal.isBudgeted) return false;
  const open = foresee(journal.state, [started]);
  const request = { ...requestOf(run, model, limit, false, open), attempt: started.attempt };
  const reply = model.replyAtOnce(request, showText(run, open, started));
  if (!reply) return false;
  const events = [started, ...replyEvents({ step: started.step, model }, reply, open)];
  const after = foresee(journal.state, events);
  const ending = nextStep(after).do === 'finish' ? finishEvents(after, reply.isUnanswered) : [];
  return (await journal.appendCall([...events, ...ending])) !== 'budgeted';
}

/** Logs, once for each armed schema, what the result must contain, so that the model sees it. False if something arrived meanwhile. */
async function showSchema({ journal }: TaskRun, { followsScript }: Model): Promise<boolean> {
  const { outputSchema, isSchemaShown } = journal.state;
  if (!outputSchema || isSchemaShown || followsScript === true) return true;
  return journal.appendIfCurrent([{ type: 'schema_shown', text: describeSchema(outputSchema, reminderMark) }]);
}

/** Loads the images of a request. If blob storage is unavailable, the call is retried later, as if the model were unavailable. */
async function loadImages(
  { task, ports }: TaskRun,
  { transcript }: ModelRequest,
  { window }: Model,
): Promise<ReadonlyMap<string, ShownImage>> {
  try {
    return await ports.images.load(task.accountId, transcript, window);
  } catch (error) {
    throw new ModelFault('unavailable', 'the images of the conversation could not be read', { cause: error });
  }
}

/** Ends a task that is over its limit after its last step, unless the user has written meanwhile. */
async function endOverrun({ journal }: TaskRun, limit: string): Promise<void> {
  await journal.appendIfCurrent(failureEvents(journal.state, 'budget_exceeded', explainOverrun(limit)));
}

const blindNote = `${reminderMark} Pictures of this conversation are left out: the model that works on it now cannot see.`;

const hasPictures = (entry: TranscriptEntry) => listPictures(entry).length > 0;

const prompts = new WeakMap<StepTools, string>();

/** The system prompt, cached by its tools: when anything that it mentions changes, the run gets new tools. */
function promptOf({ task, journal, stepTools }: TaskRun): string {
  const known = prompts.get(stepTools);
  if (known !== undefined) return known;
  const { skills, memory = null, brand = null } = stepTools;
  const prompt = systemPrompt({ ...task, taskConfig: journal.state.taskConfig, skills: skills.offered, memory, brand });
  prompts.set(stepTools, prompt);
  return prompt;
}

/** The request for a step. `limit` is the limit that the task has reached, which makes this its last step. */
function requestOf(
  run: TaskRun,
  model: Model,
  limit: string | null,
  isFilling = false,
  state: TaskState = run.journal.state,
): ModelRequest {
  const { task, stepTools } = run;
  const { transcript, clearedBefore } = state;
  const hasResults = isFilling && transcript.slice(clearedBefore).some(({ role }) => role === 'tool');
  const reminders = [
    limit === null ? remindOfPlan(state.plan) : remindOfEnd(limit),
    isBlinder(run, model) && transcript.some(hasPictures) ? blindNote : null,
    hasResults ? clearingReminder : null,
  ].filter((text) => text !== null);
  return {
    ...(reminders.length > 0 && { reminder: reminders.join('\n\n') }),
    system: promptOf(run),
    transcript,
    tools: stepTools.toolbox.definitions({
      user: task.isInteractive,
      subtasks: task.depth < maxSubtaskDepth,
      skills: stepTools.skills.offered.length > 0,
      references: state.references.length > 0,
      images: run.ports.findPictureModel(task) !== null,
    }),
  };
}

const isSearching = ({ extraction }: TaskState) => extraction.searchUntil !== null;

/** Whether the turn has its answer, or a part of it, which no limit takes away: the steps that complete either are bounded. */
const hasAnswer = (state: TaskState) => state.cutReply !== null || isSearching(state);

/** Whether the next step continues this reply. If the user has written meanwhile, that message is answered first. */
function isContinued({ cutReply, pendingMessages }: TaskState, { isCut, parts }: ModelReply): boolean {
  if (isCut !== true || parts.some(({ type }) => type === 'call')) return false;
  return (cutReply?.cuts ?? 0) < maxContinuations && !pendingMessages.some(({ isNote }) => isNote !== true);
}

/** The events that a reply adds to the log: text beside tool calls explains them, text alone is the answer. */
function replyEvents({ step, model }: Pick<Call, 'step' | 'model'>, reply: ModelReply, state: TaskState): TaskEvent[] {
  const { parts, usage } = reply;
  const text = (state.cutReply?.text ?? '') + readText(parts);
  const finished: TaskEvent = { type: 'model_finished', step, parts, usage, cost: costOf(usage, model.price) };
  if (isContinued(state, reply)) return [{ ...finished, isContinued: true }];
  // The user has the answer already; this step only looked for what the structured result lacked.
  if (isSearching(state) && state.delivered.length === 0) return [finished];
  if (!parts.some((part) => part.type === 'call')) return [finished, messageEvent(text, state.delivered)];
  return text.trim() === '' ? [finished] : [finished, { type: 'explained', text }];
}

/** Logs a reply. A reply that ends the turn is stored together with the end, unless the user has written meanwhile. */
async function logReply({ journal }: TaskRun, call: Pick<Call, 'step' | 'model'>, reply: ModelReply): Promise<void> {
  const events = replyEvents(call, reply, journal.state);
  const after = foresee(journal.state, events);
  const ending = () => [...events, ...finishEvents(after, reply.isUnanswered)];
  if (nextStep(after).do === 'finish' && (await journal.appendIfCurrent(ending()))) return;
  await journal.append(events);
}

const explanations = {
  refused: 'The language model refused the request',
  overloaded: 'The language model is overloaded',
  unavailable: 'The language model cannot be reached',
  malformed: 'The language model sent an answer that cannot be read',
} as const;

/** What the user must know who pays the provider. */
const ownKeyNote =
  ' (This task uses a model key of your account, which you can test, replace, or remove under Settings, Models.)';

/** Logs a failed call: with the time of the retry, or with the end of the task if there is none. */
async function failStep(run: TaskRun, { attempt, step, model }: Call, error: unknown): Promise<null> {
  if (error instanceof LeaseLost || !(error instanceof ModelFault)) throw error;
  const { journal, ports } = run;
  const plan = planRetry(run, model, error, { attempt, failingSince: journal.state.failingSince });
  const { waiting = [], retryAt = ports.clock.now(), ...switched } = plan ?? {};
  const bill = { usage: error.usage, cost: costOf(error.usage, model.price) };
  const failed: TaskEvent = {
    type: 'model_failed',
    step,
    attempt,
    reason: error.message,
    kind: error.kind,
    retryAt,
    ...switched,
    ...bill,
  };
  const text = `${explanations[error.kind]}: ${error.message}${isOwnModel(model.name) ? ownKeyNote : ''}`;
  // What a structured result lacks is not worth the task: it is then made without.
  if (plan !== null || isSearching(journal.state)) await journal.append([failed, ...waiting]);
  else await appendEnding(journal, (state) => [failed, ...failureEvents(state, `model_${error.kind}`, text)]);
  return null;
}
