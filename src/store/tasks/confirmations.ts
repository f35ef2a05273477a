import { Fault, invalidField } from '@errand/base/fault.ts';
import { connectorNotGranted } from '../../rules/accounts/access.ts';
import { type ActionKind, readDecision } from '../../rules/tasks/confirmation.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { type StoreOperation, type Script, selectFirst } from '../db/store-operation.ts';
import { readEvent } from '../events/events.ts';
import { keepDecision } from '../events/kept-decisions.ts';
import type { TaskKey } from '../events/task-key.ts';
import { announceDue, logCommand, wakeChange } from '../events/task-log.ts';
import { lockTask } from './tasks.ts';
import { taskRow } from '../db/shared-rows.ts';

export interface ConfirmActionArgs extends TaskKey {
  now: number;
  /** Sequence number of the event that the caller answers; null for an id of another task. */
  seq: number | null;
  input: Readonly<Record<string, unknown>>;
  /** Ids of the connectors that the caller may use; null for all of the account's. */
  grantedConnectors: readonly string[] | null;
  decider: Decider;
}

const stale = () => invalidField('event_id', 'the task does not wait for this event any more; read its newest status_update');

type Waiting = Extract<TaskEvent, { type: 'waiting' }>;

/** What the task waits for, if it is the event at `seq`. */
function* findWaiting({ accountId, taskId }: TaskKey, seq: number): Script<Waiting> {
  const row = yield* selectFirst(
    `SELECT seq, at, type, body FROM events WHERE account_id = ? AND task_id = ? AND audience > 0 AND type = 'waiting'
     ORDER BY seq DESC LIMIT 1`,
    accountId,
    taskId,
  );
  const logged = row ? readEvent(row) : null;
  if (logged?.event.type !== 'waiting' || logged.seq !== seq + 1) throw stale();
  return logged.event;
}

function decideOn({ action, budget }: Waiting, input: ConfirmActionArgs['input']) {
  if (budget) throw invalidField('event_id', 'the task waits for a higher budget; raise it with task.update');
  if (!action) throw invalidField('event_id', 'the agent asked a question; answer it with task.sendMessage');
  return readDecision(action.kind as ActionKind, input, action.isOnce);
}

/** Refuses to permit the use of a connector to a caller who may not use it; anyone who may decide can decline. */
function checkGrant({ action }: Waiting, granted: ConfirmActionArgs['grantedConnectors']): void {
  const { connectorId } = action ?? {};
  if (connectorId !== undefined && granted && !granted.includes(connectorId)) throw connectorNotGranted(connectorId);
}

/** A person's decision about a pending action; false if the input decides nothing and the task continues to wait. */
export const confirmAction: StoreOperation<ConfirmActionArgs, { isConfirmed: boolean }> = {
  name: 'tasks.confirm',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run(args) {
    const row = yield* lockTask(args);
    const { seq } = args;
    if (seq === null || seq > taskRow.last_seq(row)) throw new Fault('not_found', 'event not found');
    if (taskRow.status(row) !== 'waiting') throw stale();
    const waiting = yield* findWaiting(args, seq);
    const decision = decideOn(waiting, args.input);
    if (!decision || waiting.callId === null) return { isConfirmed: false };
    if (decision.isAccepted) checkGrant(waiting, args.grantedConnectors);
    const { decider, now } = args;
    yield* keepDecision(row, { decider, accept: decision.isAccepted, answer: null, note: null, now });
    const brief = decision.isAccepted ? 'Going on as confirmed' : 'Going on without it';
    const events: TaskEvent[] = [
      { type: 'decided', callId: waiting.callId, ...decision },
      { type: 'running', brief },
    ];
    yield* logCommand(row, events, now, wakeChange, []);
    return { isConfirmed: true };
  },
  announce: ({ taskId }, { isConfirmed }) => (isConfirmed ? announceDue(taskId) : []),
};
