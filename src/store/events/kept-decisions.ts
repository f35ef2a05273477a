import type { LoggedEvent } from '../../rules/events/task-event.ts';
import type { Decider } from '../../rules/inbox/decider.ts';
import { type InboxType, readInboxEvent } from '../../rules/inbox/inbox-item.ts';
import { computedCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import { insertRow, type Row, type Script, selectFirst } from '../db/store-operation.ts';
import { readEvent } from './events.ts';

/** What a task waits for, or failed with, until it is decided. */
export interface OpenItem extends LoggedEvent {
  type: InboxType;
  text: string;
}

/** The open item of a locked task; null if it does not wait for a person. */
export function* findOpenItem(task: Row): Script<OpenItem | null> {
  const status = taskRow.status(task);
  if (status !== 'waiting' && status !== 'error') return null;
  const row = yield* selectFirst(
    `SELECT e.seq, e.at, e.type, e.body FROM events e WHERE e.account_id = ? AND e.task_id = ? AND e.seq =
       (SELECT o.seq FROM events o WHERE o.account_id = ? AND o.task_id = ? AND o.audience = 1 AND o.type = ? ORDER BY o.seq DESC LIMIT 1)
     AND NOT EXISTS (SELECT 1 FROM inbox_decisions d WHERE d.account_id = e.account_id AND d.task_id = e.task_id AND d.seq = e.seq)`,
    ...[taskRow.account_id(task), taskRow.id(task), taskRow.account_id(task), taskRow.id(task), status],
  );
  if (!row) return null;
  const logged = readEvent(row);
  const found = readInboxEvent(logged.event);
  return found && { ...logged, type: found.type, text: found.text };
}

export interface Decision {
  decider: Decider;
  /** Null if the answer alone is the decision. */
  accept: boolean | null;
  answer: string | null;
  note: string | null;
  now: number;
}

const named = computedCodec('names of deciders', { name: text });

const namesInSql: Readonly<Record<string, string>> = {
  api_key: 'SELECT name FROM api_keys WHERE account_id = ? AND id = ?',
  chat: 'SELECT title AS name FROM bridge_chats WHERE account_id = ? AND id = ?',
};

/** The name of a credential, if it has one: of an API key, or of the chat that a bridge serves. */
function* findName({ actor, accountId }: Decider): Script<string | null> {
  const [kind = '', id = ''] = actor.split(':');
  const query = namesInSql[kind];
  const row = query === undefined ? undefined : yield* selectFirst(query, accountId, id);
  return row ? named.name(row) : null;
}

/**
 * Records who decides what a locked task waits for, and how. Everything that resumes a task calls it first, in the same transaction. The
 * first decision counts; without an open item, nothing is recorded. Subtasks are not listed in the inbox.
 */
export function* keepDecision(task: Row, { decider, accept, answer, note, now }: Decision): Script<void> {
  if (taskRow.parent_id(task) !== null) return;
  const item = yield* findOpenItem(task);
  if (!item) return;
  const deciderName = yield* findName(decider);
  yield [
    insertRow('inbox_decisions', {
      ...{ account_id: taskRow.account_id(task), task_id: taskRow.id(task), seq: item.seq },
      ...{
        type: item.type,
        text: item.text,
        created_at: item.atMs,
        accept: accept === null ? null : Number(accept),
        answer,
        note,
      },
      ...{ decided_by: decider.actor, decided_at: now, decider_account_id: decider.accountId },
      decider_name: deciderName,
    }),
  ];
}
