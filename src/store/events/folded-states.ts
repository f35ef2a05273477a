import { type StoreOperation, lockRow, selectFirst, sql } from '../db/store-operation.ts';
import { tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';

const foldedStateRow = tableCodec('folded_states', { body: text });

export interface ReadFoldedStateArgs {
  accountId: string;
  taskId: string;
  /** Version of the fold (`foldVersion`). */
  version: number;
}

/** The state folded by this version from an earlier part of a task's log, as JSON; null if nothing is stored. */
export const readFoldedState: StoreOperation<ReadFoldedStateArgs, string | null> = {
  name: 'events.readFolded',
  access: 'read',
  *run({ accountId, taskId, version }) {
    const row = yield* selectFirst(
      'SELECT body FROM folded_states WHERE account_id = ? AND task_id = ? AND version = ?',
      accountId,
      taskId,
      version,
    );
    return row ? foldedStateRow.body(row) : null;
  },
};

export interface SaveFoldedStateArgs extends ReadFoldedStateArgs {
  fence: number;
  /** The last event that was folded. */
  seq: number;
  body: string;
}

/** Stores a state in place of an earlier one: only for the worker that claimed the task last. True if it was stored. */
export const saveFoldedState: StoreOperation<SaveFoldedStateArgs, boolean> = {
  name: 'events.saveFolded',
  access: 'write',
  keys: ({ taskId }) => [taskId],
  *run({ accountId, taskId, fence, version, seq, body }) {
    const task = yield* lockRow('fence', 'tasks', { account_id: accountId, id: taskId });
    if (!task || taskRow.fence(task) !== fence) return false;
    yield [
      sql(
        `INSERT INTO folded_states (account_id, task_id, version, seq, body) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, task_id) DO UPDATE
         SET version = excluded.version, seq = excluded.seq, body = excluded.body`,
        accountId,
        taskId,
        version,
        seq,
        body,
      ),
    ];
    return true;
  },
};
