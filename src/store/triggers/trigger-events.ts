import { Fault } from '@errand/base/fault.ts';
import { integer, json, nullable, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { findRow, insertRow, selectAll, sql, type Statement, type StoreOperation } from '../db/store-operation.ts';
import type { TriggerKey } from './trigger-row.ts';

/** How many of the last deliveries of a trigger are kept. */
const keptEvents = 100;
/** Longer bodies are not kept, and their deliveries cannot be replayed. */
export const keptBodyBytes = 64 * 1024;

export const triggerCauses = ['delivery', 'test', 'replay'] as const;
export type TriggerCause = (typeof triggerCauses)[number];

export const triggerOutcomes = ['started', 'duplicate', 'filtered', 'refused', 'failed'] as const;
/** `refused`: not proven to be the sender's, or not readable; `failed`: no task could be started. */
export type TriggerOutcome = (typeof triggerOutcomes)[number];

/** `trigger_events` */
const eventRow = tableCodec('trigger_events', {
  account_id: text,
  id: text,
  trigger_id: text,
  cause: oneOf<TriggerCause>(),
  outcome: oneOf<TriggerOutcome>(),
  task_id: nullable(text),
  problem: nullable(text),
  notes: json<string[]>(),
  headers: json<Record<string, string>>(),
  body: nullable(text),
  body_bytes: integer,
  created_at: integer,
});
const { read: readEvent, columns } = eventRow.pick(
  'id, trigger_id, cause, outcome, task_id, problem, notes, headers, body, body_bytes, created_at',
);

/** What was sent to a trigger, and its outcome. */
export type TriggerEvent = ReturnType<typeof readEvent>;
export type NewTriggerEvent = Omit<TriggerEvent, 'createdAtMs'> & { accountId: string; now: number };

/** Stores an event and drops the oldest of its trigger beyond `keptEvents`. */
export function addTriggerEvent({ accountId, now, ...event }: NewTriggerEvent): Statement[] {
  const { id, triggerId, cause, outcome, taskId, problem, notes, headers, body, bodyBytes } = event;
  return [
    insertRow('trigger_events', {
      ...{ account_id: accountId, id, trigger_id: triggerId, cause, outcome, task_id: taskId, problem },
      ...{ notes: JSON.stringify(notes), headers: JSON.stringify(headers), body, body_bytes: bodyBytes, created_at: now },
    }),
    sql(
      `DELETE FROM trigger_events WHERE account_id = ? AND trigger_id = ? AND id <= (SELECT e.id FROM trigger_events e
       WHERE e.account_id = ? AND e.trigger_id = ? ORDER BY e.id DESC LIMIT 1 OFFSET ${keptEvents})`,
      ...[accountId, triggerId, accountId, triggerId],
    ),
  ];
}

/** Records a delivery that has started nothing, unless the trigger was deleted meanwhile. */
export const recordTriggerEvent: StoreOperation<NewTriggerEvent, null> = {
  name: 'triggers.recordEvent',
  access: 'write',
  keys: ({ triggerId }) => [triggerId],
  *run(event) {
    const { accountId, triggerId } = event;
    const trigger = yield* selectAll(
      'SELECT id FROM triggers WHERE account_id = ? AND id = ? FOR UPDATE',
      ...[accountId, triggerId],
    );
    if (trigger.length > 0) yield addTriggerEvent(event);
    return null;
  },
};

export interface ListTriggerEventsArgs extends TriggerKey {
  /** Exclusive: returns events older than this one. */
  beforeId: string | null;
  limit: number;
}

/** A page of the deliveries of a trigger, newest first. */
export const listTriggerEvents: StoreOperation<ListTriggerEventsArgs, TriggerEvent[]> = {
  name: 'triggers.listEvents',
  access: 'read',
  *run({ accountId, triggerId, beforeId, limit }) {
    const before = beforeId === null ? [] : [beforeId];
    const where = beforeId === null ? '' : 'AND id < ?';
    const rows = yield* selectAll(
      `SELECT ${columns} FROM trigger_events WHERE account_id = ? AND trigger_id = ? ${where} ORDER BY id DESC LIMIT ?`,
      ...[accountId, triggerId, ...before, limit],
    );
    return rows.map(readEvent);
  },
};

export function triggerEventNotFound(): Fault {
  return new Fault('not_found', 'trigger event not found');
}

export const getTriggerEvent: StoreOperation<{ accountId: string; eventId: string }, TriggerEvent> = {
  name: 'triggers.getEvent',
  access: 'read',
  *run({ accountId, eventId }) {
    const row = yield* findRow(columns, 'trigger_events', { account_id: accountId, id: eventId });
    if (!row) throw triggerEventNotFound();
    return readEvent(row);
  },
};
