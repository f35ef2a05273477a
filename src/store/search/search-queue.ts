/**
 * Which tasks have something new to search for. A task is due from its creation, and again with every claim by a worker, in the statement that
 * takes the lease, so nothing is forgotten whatever happens to the worker. An indexer takes due tasks by moving the mark into the future, which
 * gives them to another if it ends, and removes the mark once the task's words are stored.
 */
import { artifactRow } from '../artifacts/artifact-record.ts';
import { integer, json, tableCodec, text } from '../db/row-codec.ts';
import { taskRow } from '../db/shared-rows.ts';
import { type Script, selectAll, sql, type StoreOperation } from '../db/store-operation.ts';
import { createTaskQueue } from '../db/task-queue.ts';
import { readEvent } from '../events/events.ts';
import type { Attachment, LoggedEvent } from '../../rules/events/task-event.ts';
import type { PackedPlace, SearchedWords } from '../../rules/search/searched-task.ts';

/** `searched_tasks` */
export const searchedTaskRow = tableCodec('searched_tasks', {
  account_id: text,
  task_id: text,
  number: integer,
  seq: integer,
  words: text,
  places: json<readonly PackedPlace[]>(),
});

const deliveredRow = artifactRow.pick('id as artifactId, version, filename, display_name, attachment');
const claimed = taskRow.pick('account_id, id as taskId, search_due_at');

/** A task to index; `searchDueAtMs` is the end of the lease. */
export type TaskToIndex = ReturnType<typeof claimed.read>;

/** A task that runs is indexed once a minute: its last messages may be hours old. */
const whileRunningMs = 60_000;

const due = `search_due_at IS NOT NULL AND search_due_at <= errand_now()
  AND (status <> 'running' OR search_due_at <= errand_now() - ${whileRunningMs})`;

const queue = createTaskQueue({ name: 'search', column: 'search_due_at', due, taken: claimed });

/** Whether there is anything to index now. */
export const hasTasksToIndex: StoreOperation<null, boolean> = queue.hasDue;

/** Takes tasks to index until the end of the lease. */
export const claimTasksToIndex: StoreOperation<{ leaseMs: number; limit: number }, TaskToIndex[]> = queue.claim;

/** A file or website that a task delivered, as far as it is searched. */
export interface DeliveredPlace {
  artifactId: string;
  version: number;
  filename: string;
  displayName: string;
  attachment: Attachment | null;
}

/** What is known of a task before it is indexed again. */
export interface IndexedTask {
  title: string;
  /** False for the main task of an agent, which no list has. */
  isListed: boolean;
  /** The last event that was read; null for a task that was never indexed. */
  seq: number | null;
  stored: SearchedWords;
  /** The newest files delivered by the task, at most `files`. */
  delivered: DeliveredPlace[];
}

/** What is stored of a task, and what it delivered; null if it was deleted. */
export const readIndexedTask: StoreOperation<{ accountId: string; taskId: string; files: number }, IndexedTask | null> = {
  name: 'search.readTask',
  access: 'read',
  *run({ accountId, taskId, files }): Script<IndexedTask | null> {
    const [[task] = [], [row] = [], artifacts = []] = yield [
      sql('SELECT title, task_type FROM tasks WHERE account_id = ? AND id = ?', accountId, taskId),
      sql('SELECT seq, words, places FROM searched_tasks WHERE account_id = ? AND task_id = ?', accountId, taskId),
      sql(
        // Without its index, SQLite would read all artifacts of the account, from the newest on.
        `SELECT ${deliveredRow.columns} FROM artifacts INDEXED BY artifacts_by_task WHERE account_id = ? AND task_id = ?
         ORDER BY id DESC LIMIT ?`,
        accountId,
        taskId,
        files,
      ),
    ];
    if (!task) return null;
    return {
      title: taskRow.title(task),
      isListed: taskRow.task_type(task) !== 'agent_main',
      seq: row ? searchedTaskRow.seq(row) : null,
      stored: row ? { words: searchedTaskRow.words(row), places: searchedTaskRow.places(row) } : { words: '', places: [] },
      delivered: artifacts.map(deliveredRow.read),
    };
  },
};

export interface ReadSaidArgs {
  accountId: string;
  taskId: string;
  /** Events after this number. */
  afterSeq: number;
  limit: number;
}

/** What people and the agent said in a task, in order. */
export const readSaid: StoreOperation<ReadSaidArgs, LoggedEvent[]> = {
  name: 'search.readSaid',
  access: 'read',
  *run({ accountId, taskId, afterSeq, limit }) {
    const rows = yield* selectAll(
      `SELECT seq, at, type, body FROM events INDEXED BY events_shown WHERE account_id = ? AND task_id = ? AND seq > ? AND audience = 1
       AND type IN ('user_message', 'assistant_message') ORDER BY seq LIMIT ?`,
      accountId,
      taskId,
      afterSeq,
      limit,
    );
    return rows.map(readEvent);
  },
};

/** `searched_files` */
export const searchedFileRow = tableCodec('searched_files', {
  account_id: text,
  task_id: text,
  artifact_id: text,
  content: text,
});
