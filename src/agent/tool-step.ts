import { explainRepetition, startEvents } from '../rules/tasks/repeated-call.ts';
import { noteRepeat, refuseRepeat } from '../rules/tasks/repetition.ts';
import type { PlanStep, TaskEvent } from '../rules/events/task-event.ts';
import type { PendingCall } from '../rules/tasks/task-state.ts';
import { askedQuestion } from '../tools/tasks/ask-user.ts';
import type { LastingThing } from '../rules/events/lasting-thing.ts';
import type { EgressGuard, ToolContext } from '../tools/toolbox/tool.ts';
import { bringAttachments } from './workspace-attachments.ts';
import { messageEvent } from './message-event.ts';
import { createReport } from './output-report.ts';
import { requestApproval } from './approval.ts';
import type { Turn } from './agent-ports.ts';
import { createEgressGuard, findTaints } from './task-egress-guard.ts';

const unknownOutcome = `The outcome of this call is unknown: the service was interrupted while it ran, and it is not safe to run it
again. Find out whether it took effect before you repeat it.`;

/** Events of a changed plan: the whole plan, and each new step. */
function planEvents(before: readonly PlanStep[], after: readonly PlanStep[], callId: string): TaskEvent[] {
  const known = new Set(before.map(({ title }) => title));
  const added = after.flatMap(({ title }, index): TaskEvent[] =>
    known.has(title) ? [] : [{ type: 'plan_step_added', stepId: `${callId}-${index + 1}`, title }],
  );
  return [{ type: 'plan_updated', steps: [...after] }, ...added];
}

function refuseCall({ journal }: Turn, call: PendingCall, output: string): Promise<void> {
  const account = { brief: `${call.tool} was repeated`, action: call.tool, param: '' };
  const about = { callId: call.id, tool: call.tool, status: 'error' as const, output, isRefused: true as const };
  return journal.append([{ type: 'tool_finished', ...about, ...account }]);
}

/** How a tool shows an image to the model. */
function createShow({ task, ports }: Turn, signal: AbortSignal): NonNullable<ToolContext['show']> {
  return async (name, picture) => {
    const kept = await ports.showPicture(task.accountId, picture, signal);
    return kept && { blobId: kept.blobId, bytes: kept.bytes, name };
  };
}

/** What tools keep between calls is subject to the guard of the newest call. */
function holdThings({ held }: Turn, guard: EgressGuard): Pick<ToolContext, 'held'> {
  if (held) held.guard = guard;
  return held ? { held } : {};
}

/** What runs on between calls, if the log says otherwise. */
function noteLasting({ held, journal }: Turn): { lasting?: readonly LastingThing[] } {
  const lasting = held?.list() ?? [];
  return JSON.stringify(lasting) === JSON.stringify(journal.state.lasting) ? {} : { lasting };
}

/** Runs one call and logs its outcome. */
export async function runCall(turn: Turn, call: PendingCall): Promise<void> {
  const { task, journal, ports, stepTools } = turn;
  const tool = stepTools.toolbox.find(call.tool);
  const effect = tool?.effect ?? 'retry';
  const about = { callId: call.id, tool: call.tool };
  if (effect === 'once' && call.starts > 0) {
    const account = { brief: `${call.tool} was interrupted`, action: call.tool, param: '' };
    return journal.append([{ type: 'tool_finished', ...about, status: 'error', output: unknownOutcome, ...account }]);
  }
  const isWatched = ports.modelFor(task.profile).followsScript !== true;
  const refusal = isWatched && call.starts === 0 ? refuseRepeat(journal.state.traces, call) : null;
  if (refusal !== null) return refuseCall(turn, call, refusal);
  // A call that may be rerun unnoticed needs no start event; any other is logged before it can take effect.
  const { lastEnd = 'takeover' } = task;
  if (effect !== 'retry' || call.starts > 0) await journal.append(startEvents(call, lastEnd));
  const { plan, made, artifacts, sites, references } = journal.state;
  const { accountId, taskId } = task;
  const report = createReport(call.id, call.tool, (delta) => ports.deltas.publish(taskId, delta));
  const egressGuard = createEgressGuard(
    journal.state,
    task.isInteractive,
    (name) => stepTools.toolbox.find(name)?.reads === 'web',
  );
  const context = {
    ...holdThings(turn, egressGuard),
    accountId,
    taskId,
    workspace: ports.workspaceOf(task),
    callId: call.id,
    report,
    plan,
    made,
    artifacts,
    skills: stepTools.skills,
    sites,
    references,
    now: () => ports.clock.now(),
    egressGuard,
  };
  const canSee = ports.modelFor(task.profile).canSee === true;
  const run = (signal: AbortSignal) =>
    stepTools.toolbox.runCall(call, { ...context, signal, ...(canSee && { show: createShow(turn, signal) }) });
  const { plan: newPlan, delivered = [], site, taints: found = [], ...outcome } = await journal.attend(run);
  const repeated = isWatched ? noteRepeat(journal.state.traces, call, outcome.status, outcome.output) : null;
  const notes = [explainRepetition(call, lastEnd), repeated].filter((note) => note !== null);
  const taints = [...new Set([...findTaints(tool, journal.state.trust), ...found])];
  await journal.append([
    {
      type: 'tool_finished',
      ...about,
      ...outcome,
      ...(notes.length > 0 && { note: notes.join('\n') }),
      ...(taints.length > 0 && { taints }),
      ...noteLasting(turn),
    },
    ...delivered.map((file): TaskEvent => ({ type: 'file_delivered', ...file })),
    ...(site ? [{ type: 'site_made' as const, ...site }] : []),
    ...(newPlan ? planEvents(plan, newPlan, call.id) : []),
  ]);
}

/** Runs the open calls of a step one after another, each result durable before the next begins, until one needs approval. */
export async function runToolStep(turn: Turn, calls: readonly PendingCall[]): Promise<void> {
  await bringAttachments(turn);
  for (const call of calls) {
    const approval = await requestApproval(turn, call);
    if (approval === 'asked') return;
    if (approval === 'given') await runCall(turn, call);
  }
}

async function declineToAsk({ journal }: Turn, call: PendingCall, output: string): Promise<void> {
  const account = { brief: 'Could not ask', action: 'Asking', param: '' };
  await journal.append([{ type: 'tool_finished', callId: call.id, tool: call.tool, status: 'error', output, ...account }]);
}

const notInteractive = 'ask_user does not exist in this task; decide yourself.';
const hasWritten = `The question was not put: the user has written meanwhile. Read that first, it follows, and ask again only if the
question is still open.`;

/** A question to the user: the task waits, and their next message is the result of this call. */
export async function runAskStep(turn: Turn, call: PendingCall): Promise<void> {
  const { task, journal } = turn;
  if (!task.isInteractive) return declineToAsk(turn, call, notInteractive);
  const asked = askedQuestion(call.input);
  // Not a valid question: the call is answered like any other failed call.
  if (asked === null) return runCall(turn, call);
  if (journal.state.pendingMessages.some(({ isNote }) => isNote !== true)) return declineToAsk(turn, call, hasWritten);
  const { question, suggestions } = asked;
  // If something came in just now, nothing is stored and the next decision sees it.
  await journal.appendIfCurrent([
    messageEvent(question, journal.state.delivered),
    { type: 'waiting', callId: call.id, question, ...(suggestions.length > 0 && { suggestions }) },
  ]);
}
