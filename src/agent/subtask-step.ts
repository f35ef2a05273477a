import { Fault } from '@errand/base/fault.ts';
import { companionId } from '@errand/base/ids.ts';
import type { TaskEvent } from '../rules/events/task-event.ts';
import type { PendingCall } from '../rules/tasks/task-state.ts';
import { listTaints } from '../rules/egress/trust.ts';
import { traceparentOfCall } from '../rules/tracing/trace-ids.ts';
import { createSubtaskTool, readSubtaskInput, type SubtaskInput } from '../tools/tasks/create-subtask.ts';
import { copyFiles, listResults } from './file-copies.ts';
import type { SubtaskResult, TaskRun } from './agent-ports.ts';
import { requestApproval } from './approval.ts';
import { runCall } from './tool-step.ts';

/** The id of the subtask of a call. It is derived from both, so that a crash creates no duplicate. */
export function subtaskIdOf(parentId: string, callId: string): string {
  return companionId(parentId, `subtask ${callId} of`);
}

function finish(
  call: PendingCall,
  request: SubtaskInput,
  outcome: Pick<Extract<TaskEvent, { type: 'tool_finished' }>, 'status' | 'output' | 'taints'>,
): TaskEvent {
  return { type: 'tool_finished', callId: call.id, tool: call.tool, ...outcome, ...createSubtaskTool.summarize(request) };
}

function describeResult({ status, text }: SubtaskResult, taskId: string, files: readonly string[]): string {
  const ending = status === 'stopped' ? 'The subtask has ended.' : 'The subtask failed.';
  const list = files.length === 0 ? [] : ['Its files were copied to:', ...files.map((file) => `- ${file}`)];
  return [`${ending} (task ${taskId})`, text, ...list].join('\n');
}

/** Creates the subtask with its files; returns why that is impossible, or null. */
async function begin(run: TaskRun, call: PendingCall, taskId: string, request: SubtaskInput): Promise<string | null> {
  const { task, journal, ports, workspace } = run;
  await workspace.ready();
  const workspaces = { from: ports.workspaceOf(task), to: ports.workspaceOf({ ...task, taskId }) };
  try {
    await copyFiles(workspaces, request.files ?? [], '');
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  const { title, instructions } = request;
  const { trust: inherited, allowedActions, taskConfig: own } = journal.state;
  const taskConfig = task.isInteractive ? { ...own, approvals: allowedActions } : own;
  const traceparent = traceparentOfCall(task, call.id, ports.isTraced);
  return (await ports.subtasks?.create(task, taskId, { title, instructions, inherited, taskConfig, traceparent })) ?? null;
}

/** A unique folder name that tells the parts apart for their reader. */
function folderOf({ title }: SubtaskInput, taskId: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['part'];
  return `subtasks/${words.join('-').slice(0, 40).toWellFormed()}-${taskId.slice(-6)}`;
}

async function collect(
  { task, journal, ports, workspace }: TaskRun,
  call: PendingCall,
  request: SubtaskInput,
  taskId: string,
): Promise<void> {
  const result = await ports.subtasks?.readResult(task, taskId);
  if (!result) return;
  await workspace.ready();
  const from = ports.workspaceOf({ ...task, taskId });
  const paths = [...new Set([...result.delivered, ...(await listResults(from))])];
  const files = await copyFiles({ from, to: ports.workspaceOf(task) }, paths, folderOf(request, taskId)).catch(() => []);
  const taints = listTaints(result.trust);
  const status = result.status === 'stopped' ? 'success' : 'error';
  const output = describeResult(result, taskId, files);
  await journal.append([finish(call, request, { status, output, ...(taints.length > 0 && { taints }) })]);
}

/** `waiting`: for a budget, the only thing that a subtask waits for. `asked`: the task itself waits for a person. */
type Attended = 'progress' | 'running' | 'waiting' | 'asked';

/** Checks one call: creates what is missing and returns what has ended. */
async function attendTo(run: TaskRun, call: PendingCall): Promise<Attended> {
  const { task, journal, ports } = run;
  const request = readSubtaskInput(call.input);
  // It is answered like any other failed call.
  if (request === null || !ports.subtasks) {
    await runCall(run, call);
    return 'progress';
  }
  const taskId = subtaskIdOf(task.taskId, call.id);
  const status = await ports.subtasks.find(task, taskId);
  if (status === 'running' || status === 'waiting') return status;
  if (status !== null) {
    await collect(run, call, request, taskId);
    return 'progress';
  }
  const approval = await requestApproval(run, call);
  if (approval !== 'given') return approval === 'asked' ? 'asked' : 'progress';
  const problem = await begin(run, call, taskId, request);
  if (problem === null) return 'running';
  await journal.append([finish(call, request, { status: 'error', output: problem })]);
  return 'progress';
}

const waitsForSubtasks = 'Subtasks wait for a higher budget. Raise it, and the task continues.';

/**
 * Checks the subtasks that the task waits for; they run concurrently. False if the task can only wait: it is then suspended, and resumed
 * when one of them has ended. If all remaining subtasks wait for a budget, the task waits for it, too.
 */
export async function runSubtaskStep(run: TaskRun, calls: readonly PendingCall[]): Promise<boolean> {
  const attended: Attended[] = [];
  for (const call of calls) {
    const state = await attendTo(run, call);
    if (state === 'asked') return true;
    attended.push(state);
  }
  if (attended.includes('progress')) return true;
  if (attended.includes('running')) return false;
  const waiting = { type: 'waiting', callId: null, question: waitsForSubtasks, budget: { retryAtMs: null } } as const;
  await run.journal.appendIfCurrent([waiting]);
  return true;
}
