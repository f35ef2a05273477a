import { cutCallAnswer } from '../rules/tasks/cut-reply.ts';
import { explainRepetition, startEvents } from '../rules/tasks/repeated-call.ts';
import { explainNever } from '../rules/policies/policy.ts';
import { noteRepeat, refuseRepeat } from '../rules/tasks/repetition.ts';
import { traceparentOfCall } from '../rules/tracing/trace-ids.ts';
import { addTaints } from '../rules/egress/trust.ts';
import type { TaskEvent, ToolCallSummary } from '../rules/events/task-event.ts';
import type { PendingCall } from '../rules/tasks/task-state.ts';
import { askedQuestion } from '../tools/tasks/ask-user.ts';
import type { RunningProcess } from '../rules/events/running-process.ts';
import { NoOutcome, type ToolContext, type ToolOutcome } from '../tools/toolbox/tool.ts';
import { LeaseLost } from './journal.ts';
import { bringAttachments, bringBrand } from './attachments/workspace-attachments.ts';
import { messageEvent, planEvents } from './outcome-events.ts';
import { createReport } from './output-report.ts';
import { effectOf } from './step-tools.ts';
import { chooseModel } from './model-calls.ts';
import { readPolicies, requestApproval } from './approval.ts';
import type { MemoryUse, TaskRun } from './agent-ports.ts';
import { enterTool } from './slots/tool-slot.ts';
import { createMapRows } from './rows/map-rows.ts';
import { createEgressGuard, findTaints } from './task-egress-guard.ts';

const unknownOutcome = `The outcome of this call is unknown: the service was interrupted while it ran, and it is not safe to run it
again. Find out whether it took effect before you repeat it.`;

/** Refuses a truncated call. It counts as made, so that a model which repeats it is told. */
function refuseCut({ journal }: TaskRun, call: PendingCall): Promise<void> {
  const summary = { brief: `${call.tool} was cut at the output limit`, action: call.tool, param: '' };
  const about = { callId: call.id, tool: call.tool, status: 'error' as const, output: cutCallAnswer };
  return journal.append([{ type: 'tool_finished', ...about, ...summary }]);
}

function refuseCall({ journal }: TaskRun, call: PendingCall, output: string): Promise<void> {
  const summary = { brief: `${call.tool} was repeated`, action: call.tool, param: '' };
  const about = { callId: call.id, tool: call.tool, status: 'error' as const, output, isRefused: true as const };
  return journal.append([{ type: 'tool_finished', ...about, ...summary }]);
}

/** Creates the function with which a tool shows an image to the model. */
function createShow({ task, ports }: TaskRun, signal: AbortSignal): NonNullable<ToolContext['show']> {
  return async (name, picture) => {
    const kept = await ports.showPicture(task.accountId, picture, signal);
    return kept && { blobId: kept.blobId, bytes: kept.bytes, name };
  };
}

/** The part of a call's event that lists what keeps running between calls; empty if the log says so already. */
function noteLasting({ resources, journal }: TaskRun): { lasting?: readonly RunningProcess[] } {
  const lasting = resources.list();
  return JSON.stringify(lasting) === JSON.stringify(journal.state.lasting) ? {} : { lasting };
}

/** Logs a call that is answered without running, or that its run begins. True if it must run. */
async function beginCall(run: TaskRun, call: PendingCall): Promise<boolean> {
  const { task, journal, stepTools } = run;
  const effect = effectOf(stepTools, call.tool);
  if (effect === 'once' && call.starts > 0) {
    const summary = { brief: `${call.tool} was interrupted`, action: call.tool, param: '' };
    const about = { callId: call.id, tool: call.tool, status: 'error' as const, output: unknownOutcome };
    await journal.append([{ type: 'tool_finished', ...about, ...summary }]);
    return false;
  }
  const refusal = isWatched(run) && call.starts === 0 ? refuseRepeat(journal.state.traces, call) : null;
  if (refusal !== null) {
    await refuseCall(run, call, refusal);
    return false;
  }
  // A call that may be rerun unnoticed needs no start event; any other is logged before it can take effect.
  if (effect !== 'retry' || call.starts > 0) await journal.append(startEvents(call, task.lastEnd ?? 'takeover'));
  return true;
}

function isWatched({ task, ports }: TaskRun): boolean {
  return ports.modelFor(task).followsScript !== true;
}

interface DoneCall {
  call: PendingCall;
  outcome: ToolOutcome & ToolCallSummary;
  memory: MemoryUse | null;
  startedAtMs: number;
}

async function performCall(run: TaskRun, call: PendingCall, signal: AbortSignal): Promise<DoneCall> {
  const { task, journal, ports, stepTools, resources, setup } = run;
  const { plan, made, artifacts, stored, sites, references, step } = journal.state;
  const { accountId, taskId } = task;
  const showsAddresses = (name: string) => {
    const tool = stepTools.toolbox.find(name);
    return tool?.reads === 'web' && tool.echoes !== true;
  };
  const canSee = chooseModel(run).canSee === true;
  const workspace = ports.workspaceOf(task);
  const memory = run.memory?.use(workspace, () => addTaints(journal.state.trust, resources.taints())) ?? null;
  const egressGuard = createEgressGuard(journal, task.isInteractive, showsAddresses, memory?.taints);
  const report = createReport(call.id, call.tool, (delta) => ports.deltas.publish(taskId, delta));
  // What an earlier call has left running, too.
  resources.guard = egressGuard;
  const leave = await enterTool(run, call, signal);
  const startedAtMs = ports.clock.now();
  const running = stepTools.toolbox.runCall(call, {
    resources,
    accountId,
    taskId,
    workspace: memory?.workspace ?? workspace,
    ...(memory && { memory }),
    ...(setup && { setup: { mount: () => setup.mount(signal, report) } }),
    callId: call.id,
    traceparent: traceparentOfCall(task, call.id, ports.isTraced),
    report,
    plan,
    made,
    artifacts,
    ...{ stored, sites, references, step },
    skills: stepTools.skills,
    ...(stepTools.brand && { brand: stepTools.brand }),
    transcriber: ports.findTranscriber(task),
    now: () => ports.clock.now(),
    egressGuard,
    signal,
    mapRows: createMapRows(run, call.id, report),
    makePicture: async (...order) => (await import('./pictures/make-picture.ts')).makePicture(run, call.id, ...order),
    ...(canSee && { show: createShow(run, signal) }),
  });
  const outcome = await running.finally(leave);
  return { call, outcome, memory, startedAtMs };
}

async function logOutcome(run: TaskRun, { call, outcome: done, memory, startedAtMs }: DoneCall): Promise<void> {
  const { task, journal, stepTools } = run;
  const { plan: newPlan, taskTitle, delivered = [], site, taints: found = [], readsFiles = false, ...outcome } = done;
  const { plan, trust } = journal.state;
  const repeated = isWatched(run) ? noteRepeat(journal.state, call, outcome.status, outcome.output) : null;
  const read = [stepTools.toolbox.find(call.tool), ...(readsFiles ? [{ reads: 'files' as const }] : [])];
  const taints = [...new Set([...read.flatMap((one) => findTaints(one, trust)), ...found, ...(memory?.taints() ?? [])])];
  const kept = memory ? await journal.attend(() => memory.save(addTaints(trust, taints))) : [];
  const prepared = run.setup?.takeNotes() ?? [];
  const repeatNotes = [explainRepetition(call, task.lastEnd ?? 'takeover'), repeated];
  const notes = [...repeatNotes, ...kept, ...prepared].filter((note) => note !== null);
  const events: TaskEvent[] = [
    {
      type: 'tool_finished',
      callId: call.id,
      tool: call.tool,
      startedAtMs,
      ...outcome,
      ...(notes.length > 0 && { note: notes.join('\n') }),
      ...(taints.length > 0 && { taints }),
      ...noteLasting(run),
    },
    ...delivered.map((file): TaskEvent => ({ type: 'file_delivered', ...file })),
    ...(site ? [{ type: 'site_made' as const, ...site }] : []),
    ...(newPlan ? planEvents(plan, newPlan, call.id, taskTitle) : []),
  ];
  await (isHeld(run, call, events) ? journal.hold(events) : journal.append(events));
}

/** Whether the outcome of a call is logged with the start of the model call that follows: a crash in between only runs the call again. */
function isHeld({ journal, stepTools }: TaskRun, call: PendingCall, events: readonly TaskEvent[]): boolean {
  // The last open call of its step, so a model call is what usually follows; whatever else does stores the outcome first.
  return events.length === 1 && journal.state.pending.length === 1 && effectOf(stepTools, call.tool) === 'retry';
}

/** Runs one call and logs its outcome. */
export async function runCall(run: TaskRun, call: PendingCall): Promise<void> {
  if (!(await beginCall(run, call))) return;
  try {
    await logOutcome(run, await run.journal.attend((signal) => performCall(run, call, signal)));
  } catch (error) {
    if (error instanceof LeaseLost || !(error instanceof NoOutcome)) throw error;
  }
}

const mostBeside = 8;

/** The first of these calls that may run side by side: those that only read and need no approval. */
async function takeReads(run: TaskRun, calls: readonly PendingCall[]): Promise<readonly PendingCall[]> {
  const { toolbox } = run.stepTools;
  const ruleOn = await readPolicies(run);
  const isRead = (call: PendingCall) =>
    call.isCut !== true &&
    call.isAccepted === undefined &&
    toolbox.find(call.tool)?.onlyReads === true &&
    toolbox.findAction(call) === null &&
    (ruleOn(call)?.decision ?? 'always') === 'always';
  const end = calls.findIndex((call) => !isRead(call));
  return calls.slice(0, Math.min(end < 0 ? calls.length : end, mostBeside));
}

/** Runs calls side by side; their outcomes are logged in their order. */
async function runReads(run: TaskRun, calls: readonly PendingCall[]): Promise<void> {
  const begun: PendingCall[] = [];
  for (const call of calls) if (await beginCall(run, call)) begun.push(call);
  const done = await run.journal.attend((signal) => Promise.all(begun.map((call) => performCall(run, call, signal))));
  for (const each of done) await logOutcome(run, each);
}

/**
 * Runs the open calls of a step in their order until one needs approval: each result is durable before the next call begins, except that
 * neighbors which only read run side by side.
 */
export async function runToolStep(run: TaskRun, calls: readonly PendingCall[]): Promise<void> {
  const { journal } = run;
  await bringAttachments(run);
  await bringBrand(run);
  const reads = await takeReads(run, calls);
  if (reads.length > 1) return runReads(run, reads);
  for (const [at, call] of calls.entries()) {
    // The next decision runs them together.
    if (at > 0 && (await takeReads(run, calls.slice(at))).length > 1) return;
    if (call.isCut === true) {
      await refuseCut(run, call);
      continue;
    }
    const approval = await requestApproval(run, call);
    if (approval === 'asked') return;
    if (approval === 'given') await runCall(run, call);
    if (journal.state.status !== 'running') return;
  }
}

async function declineToAsk({ journal }: TaskRun, call: PendingCall, output: string): Promise<void> {
  const summary = { brief: 'Could not ask', action: 'Asking', param: '' };
  await journal.append([{ type: 'tool_finished', callId: call.id, tool: call.tool, status: 'error', output, ...summary }]);
}

const notInteractive = 'ask_user does not exist in this task; decide yourself.';
const hasWritten = `The question was not put: the user has written meanwhile. Read that first, it follows, and ask again only if the
question is still open.`;

/** Asks the user a question: the task waits, and the next message is the result of this call. */
export async function runAskStep(run: TaskRun, call: PendingCall): Promise<void> {
  const { task, journal } = run;
  if (!task.isInteractive) return declineToAsk(run, call, notInteractive);
  const ruling = (await readPolicies(run))(call);
  if (ruling?.decision === 'never') return declineToAsk(run, call, explainNever(ruling));
  const asked = askedQuestion(call.input);
  // Not a valid question: the call is answered like any other failed call.
  if (asked === null) return runCall(run, call);
  if (journal.state.pendingMessages.some(({ isNote }) => isNote !== true)) return declineToAsk(run, call, hasWritten);
  const { question, suggestions } = asked;
  // If something came in just now, nothing is stored and the next decision sees it.
  await journal.appendIfCurrent([
    messageEvent(question, journal.state.delivered),
    { type: 'waiting', callId: call.id, question, ...(suggestions.length > 0 && { suggestions }) },
  ]);
}
