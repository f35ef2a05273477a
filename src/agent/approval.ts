import { explainNever, applyPolicies, type Ruling } from '../rules/policies/policy.ts';
import { confirmSchema, isAllowedInAdvance } from '../rules/tasks/confirmation.ts';
import type { PendingCall } from '../rules/tasks/task-state.ts';
import type { PreparedAction } from '../tools/toolbox/toolbox.ts';
import type { TaskRun } from './agent-ports.ts';

const declined = 'Not done: the user was asked to confirm this and declined. Go on without it, and do not try it another way.';
const notInTime =
  'Not done: a person was asked to confirm this and nobody did in time. Go on without it, and say so in your result.';
const notAllowed =
  'Not done: the project of this task allows no actions of this kind, and nobody can be asked. Go on without it.';

const onlyByParent =
  'Not done: a person has to confirm this, whom only the task above can ask. Leave it out and say so in your result, with what is needed to do it.';

const onlyWithApproval =
  'Not done: others get to see it only when the user confirms that, and in this task nobody can be asked. Make it without publishing (leave publish_for out), and say that the user can publish it.';

const hasWritten =
  'Not done: the user has written meanwhile. Read that first, it follows, and try again only if it is still wanted.';

/** The kind of action recorded for a call that only a policy asks about. */
const usualKind = 'connectorAction';

/** The decision of the policies about the next call. */
export async function readPolicies({ task, journal, ports, stepTools: { toolbox } }: TaskRun) {
  const policies = await ports.policiesOf(task, journal.state.taskConfig.projectId ?? null);
  return (call: PendingCall): Ruling | null => {
    const action = policies.length === 0 ? null : toolbox.findAction(call, usualKind);
    if (!action) return null;
    const { connectorId, serverName } = toolbox.find(call.tool) ?? {};
    const from = { ...(connectorId !== undefined && { connectorId }), ...(serverName !== undefined && { serverName }) };
    return applyPolicies(policies, { tool: call.tool, params: action.params, ...from });
  };
}

/** Whether the call needs no approval, because a policy or a person has allowed it before. */
function isFree({ journal }: TaskRun, { kind }: PreparedAction, ruling: Ruling | null): boolean {
  if (ruling?.decision === 'ask') return false;
  const { allowedActions, taskConfig } = journal.state;
  return (
    allowedActions.includes(kind) ||
    taskConfig.approvals?.includes(kind) === true ||
    (ruling?.decision === 'always' && isAllowedInAdvance(kind))
  );
}

/** Why an unattended task skips the call; null if it makes it. */
function refuseUnattended(run: TaskRun, action: PreparedAction, ruling: Ruling | null): string | null {
  const { actions, approvals } = run.journal.state.taskConfig;
  if (actions === 'refuse') return notAllowed;
  // Otherwise a subtask would do without asking what its person wants to be asked about.
  if (approvals && !isFree(run, action, ruling)) return onlyByParent;
  // A private result must not become public because of a text that the agent has read.
  return action.kind === 'deployAction' ? onlyWithApproval : null;
}

function describe({ kind, brief, param }: PreparedAction): string {
  const action = param === '' ? brief : `${brief}: ${param}`;
  return kind === 'connectorOauthExpired' ? `Sign in on the page /connectors, then confirm. ${action}` : action;
}

async function refuse(
  { journal }: TaskRun,
  call: PendingCall,
  { kind: _kind, connectorId: _connectorId, params: _params, ...summary }: PreparedAction,
  output: string,
  about: { isDeclined?: true } = {},
) {
  const result = { status: 'error' as const, output, ...about };
  await journal.append([{ type: 'tool_finished', callId: call.id, tool: call.tool, ...result, ...summary }]);
  return 'refused' as const;
}

/** Lets the task wait for a person's decision, unless they have written meanwhile. */
async function ask(run: TaskRun, call: PendingCall, action: PreparedAction, isOnce: boolean): Promise<'refused' | 'asked'> {
  const { journal } = run;
  // A task that waits for a decision would not receive earlier messages.
  if (journal.state.pendingMessages.some(({ isNote }) => isNote !== true)) return refuse(run, call, action, hasWritten);
  const { kind, connectorId, ...shown } = action;
  const extras = { ...(connectorId !== undefined && { connectorId }), ...(isOnce && { isOnce: true as const }) };
  const asked = { kind, schema: confirmSchema(kind, isOnce), ...extras };
  // If a message has just arrived, nothing is stored, and the next decision sees it.
  await journal.appendIfCurrent([
    { type: 'action_prepared', callId: call.id, tool: call.tool, ...shown },
    { type: 'waiting', callId: call.id, question: describe(action), action: asked },
  ]);
  return 'asked';
}

/**
 * Requests approval for a call that a policy asks about, or that a person may want to prevent: the task waits for their decision.
 * `refused`: the call is answered with the reason. `asked`: nothing more may be done now.
 */
export async function requestApproval(run: TaskRun, call: PendingCall): Promise<'given' | 'refused' | 'asked'> {
  // A call that has begun was approved then.
  if (call.starts > 0) return 'given';
  const ruling = (await readPolicies(run))(call);
  const isGoverned = call.isAccepted !== undefined || (ruling?.decision ?? 'always') !== 'always';
  const action = run.stepTools.toolbox.findAction(call, isGoverned ? usualKind : undefined);
  if (!action) return 'given';
  if (ruling?.decision === 'never') return refuse(run, call, action, explainNever(ruling));
  if (call.isAccepted) return 'given';
  if (call.isAccepted === false) {
    return refuse(run, call, action, call.isTimedOut ? notInTime : declined, { isDeclined: true });
  }
  if (!run.task.isInteractive) {
    const problem = refuseUnattended(run, action, ruling);
    return problem === null ? 'given' : refuse(run, call, action, problem);
  }
  return isFree(run, action, ruling) ? 'given' : ask(run, call, action, ruling?.decision === 'ask');
}
