import { Fault } from '@errand/base/fault.ts';
import type { TaskStatus } from '../../rules/events/task-event.ts';
import type { ObjectDigest } from '../../rules/triggers/watched-bucket.ts';
import { text, tableCodec } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import {
  deleteSome,
  findRow,
  insertRow,
  lockRow,
  type Row,
  type Script,
  type Statement,
  type StoreOperation,
  sql,
} from '../db/store-operation.ts';
import { findStandingProblem } from '../oauth/standing-access.ts';
import { type CreatedTask, type CreateTaskArgs, createTask, type MessageTaskArgs, messageTask } from '../tasks/tasks.ts';
import { addTriggerEvent, type NewTriggerEvent, type TriggerOutcome } from './trigger-events.ts';
import { type TriggerKey, triggerNotFound, triggerRow } from './trigger-row.ts';
import { holdsLook, noteObject } from './watched-buckets.ts';

/** How long the id of something sent is remembered: longer than any sender tries again. */
export const dedupeTtlMs = 7 * 24 * 60 * 60 * 1000;

const keyRow = tableCodec('trigger_keys', { account_id: text, trigger_id: text, digest: text, task_id: text });

export interface FireTriggerArgs extends TriggerKey {
  /** Each recognizes what was sent before; none if nothing can. */
  dedupeKeys: readonly string[];
  /** The task to start, */
  start: CreateTaskArgs;
  /** or, in a trigger with one conversation, what to send to its task. */
  followUp: Omit<MessageTaskArgs, 'taskId'> | null;
  event: Omit<NewTriggerEvent, 'accountId' | 'triggerId' | 'taskId' | 'outcome' | 'problem'>;
  /** The object of a watched bucket that it starts from, with the lease of the look that found it. */
  object?: TakenObject | undefined;
}

export interface TakenObject extends ObjectDigest {
  /** When it was last changed, if it is to be deleted. */
  changedAtMs: number | null;
  lookAtMs: number;
}

export interface FiredTrigger {
  outcome: Extract<TriggerOutcome, 'started' | 'duplicate'>;
  taskId: string;
  /** Set if a task was created. */
  created: CreatedTask | null;
  /** Set if a task was sent the message: whether it was idle. */
  isWoken: boolean | null;
}

/** The conversation of the trigger, if a stranger's text may continue it: to a task that waits, it would be the user's answer. */
function* findConversation(accountId: string, taskId: string | null): Script<string | null> {
  if (taskId === null) return null;
  const row = yield* lockRow('status', 'tasks', { account_id: accountId, id: taskId });
  const status: TaskStatus | null = row ? taskRow.status(row) : null;
  return status === null || status === 'waiting' ? null : taskId;
}

type Begun = Omit<FiredTrigger, 'outcome'>;

function* begin({ accountId, triggerId, start, followUp }: FireTriggerArgs, trigger: Row): Script<Begun> {
  const taskId = followUp ? yield* findConversation(accountId, triggerRow.task_id(trigger)) : null;
  if (followUp && taskId !== null) {
    const { isWoken } = yield* messageTask.run({ ...followUp, taskId, decider: { actor: `trigger:${triggerId}`, accountId } });
    return { taskId, created: null, isWoken };
  }
  const created = yield* createTask.run({ ...start, teamId: triggerRow.team_id(trigger) });
  if (followUp) {
    yield [sql('UPDATE triggers SET task_id = ? WHERE account_id = ? AND id = ?', created.id, accountId, triggerId)];
  }
  return { taskId: created.id, created, isWoken: null };
}

/** What one of the keys recognizes; nothing if none does. */
function* findFirst(keys: readonly { account_id: string; trigger_id: string; digest: string }[]): Script<Row | undefined> {
  for (const key of keys) {
    const row = yield* findRow('task_id', 'trigger_keys', key);
    if (row) return row;
  }
  return undefined;
}

/** Throws if nobody may start a task with the trigger from outside. */
function* checkDelivery(accountId: string, trigger: Row): Script<void> {
  if (triggerRow.status(trigger) !== 'active') throw triggerPaused();
  const problem = yield* findStandingProblem({ accountId, oauthClientId: triggerRow.oauth_client_id(trigger) });
  if (problem !== null) throw new Fault('failed_precondition', problem);
}

/** Records the object with its task, which it starts only once. Throws if another worker looks at the bucket by now. */
function* takeObject({ accountId, triggerId, object }: FireTriggerArgs): Script<Statement[]> {
  if (!object) return [];
  const { lookAtMs, ...seen } = object;
  if (yield* holdsLook({ accountId, triggerId, lookAtMs })) return [noteObject({ accountId, triggerId }, seen)];
  throw new Fault('unavailable', 'The bucket is looked at by another process by now.');
}

/**
 * Starts the task of a delivery once: the sender's id, the task or message, and the event are one transaction, under the lock of the
 * trigger's row. A delivery whose id is known starts nothing.
 */
export const fireTrigger: StoreOperation<FireTriggerArgs, FiredTrigger> = {
  name: 'triggers.fire',
  access: 'exclusive',
  *run(args) {
    const { accountId, triggerId, dedupeKeys, event } = args;
    const trigger = yield* lockRow('status, task_id, oauth_client_id, team_id', 'triggers', {
      account_id: accountId,
      id: triggerId,
    });
    if (!trigger) throw triggerNotFound();
    if (event.cause === 'delivery') yield* checkDelivery(accountId, trigger);
    const taken = yield* takeObject(args);
    const keys = dedupeKeys.map((digest) => ({ account_id: accountId, trigger_id: triggerId, digest }));
    const known = yield* findFirst(keys);
    const stored = { ...event, accountId, triggerId, problem: null };
    if (known) {
      const taskId = keyRow.task_id(known);
      yield [...taken, ...addTriggerEvent({ ...stored, outcome: 'duplicate', taskId })];
      return { outcome: 'duplicate', taskId, created: null, isWoken: null };
    }
    const begun = yield* begin(args, trigger);
    const seen = { task_id: begun.taskId, created_at: event.now };
    yield [
      ...keys.map((key) => insertRow('trigger_keys', { ...key, ...seen })),
      ...taken,
      ...addTriggerEvent({ ...stored, outcome: 'started', taskId: begun.taskId }),
    ];
    return { outcome: 'started', ...begun };
  },
  announce({ start, followUp }, { taskId, created, isWoken }) {
    if (created) return createTask.announce?.(start, created) ?? [];
    if (!followUp || isWoken === null) return [];
    return messageTask.announce?.({ ...followUp, taskId }, { taskId, isWoken }) ?? [];
  },
};

/** What a sender is told while its trigger is paused. */
export function triggerPaused(): Fault {
  return new Fault('failed_precondition', 'This trigger is paused.');
}

/** Forgets the ids of what was sent long ago. */
export const deleteExpiredTriggerKeys: StoreOperation<{ now: number; limit: number }, number> = {
  name: 'triggers.deleteExpiredKeys',
  access: 'write',
  *run({ now, limit }) {
    const from = { table: 'trigger_keys', key: 'account_id, trigger_id, digest', where: 'created_at <= ?', limit };
    return yield* deleteSome(from, now - dedupeTtlMs);
  },
};
