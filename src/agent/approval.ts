import { confirmSchema } from '../rules/tasks/confirmation.ts';
import type { PendingCall } from '../rules/tasks/task-state.ts';
import type { PreparedAction } from '../tools/toolbox/toolbox.ts';
import type { Turn } from './agent-ports.ts';

const declined = 'Not done: the user was asked to confirm this and declined. Go on without it, and do not try it another way.';
const notAllowed =
  'Not done: the project of this task allows no actions of this kind, and nobody can be asked. Go on without it.';

const onlyWithApproval =
  'Not done: others get to see it only when the user confirms that, and in this task nobody can be asked. Do it without publishing and say so.';

const hasWritten =
  'Not done: the user has written meanwhile. Read that first, it follows, and try again only if it is still wanted.';

/** Whether approval is unnecessary: allowed before, or an unattended task whose project does not forbid it. */
function isFree({ task, journal }: Turn, { kind }: PreparedAction): boolean {
  return !task.isInteractive || journal.state.allowedActions.includes(kind);
}

function describe({ kind, brief, param }: PreparedAction): string {
  const action = param === '' ? brief : `${brief}: ${param}`;
  return kind === 'connectorOauthExpired' ? `Sign in on the page /connectors, then confirm. ${action}` : action;
}

async function refuse(
  { journal }: Turn,
  call: PendingCall,
  { kind: _kind, connectorId: _connectorId, params: _params, ...account }: PreparedAction,
  output: string,
) {
  await journal.append([{ type: 'tool_finished', callId: call.id, tool: call.tool, status: 'error', output, ...account }]);
  return 'refused' as const;
}

/**
 * Requests approval for a call that a person may want to prevent: the task waits for their decision. `refused`: the call is answered with
 * the reason. `asked`: nothing more may be done now.
 */
export async function requestApproval(turn: Turn, call: PendingCall): Promise<'given' | 'refused' | 'asked'> {
  const { journal, task, stepTools } = turn;
  // A call that has begun was approved then.
  const action = call.starts > 0 || call.isAccepted === true ? null : stepTools.toolbox.findAction(call);
  if (!action) return 'given';
  if (call.isAccepted === false) return refuse(turn, call, action, declined);
  if (!task.isInteractive && journal.state.taskConfig.actions === 'refuse') return refuse(turn, call, action, notAllowed);
  // A private result must not become public because of a text that the agent has read.
  if (!task.isInteractive && action.kind === 'deployAction') return refuse(turn, call, action, onlyWithApproval);
  if (isFree(turn, action)) return 'given';
  // A task that waits for a decision would not receive earlier messages.
  if (journal.state.pendingMessages.some(({ isNote }) => isNote !== true)) return refuse(turn, call, action, hasWritten);
  const { kind, connectorId, ...shown } = action;
  const asked = { kind, schema: confirmSchema(kind), ...(connectorId !== undefined && { connectorId }) };
  // If a message has just arrived, nothing is stored, and the next decision sees it.
  await journal.appendIfCurrent([
    { type: 'action_prepared', callId: call.id, tool: call.tool, ...shown },
    { type: 'waiting', callId: call.id, question: describe(action), action: asked },
  ]);
  return 'asked';
}
