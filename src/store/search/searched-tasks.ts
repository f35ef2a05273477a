import { taskRow } from '../db/shared-rows.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { type Script, selectAll, selectFirst, selectOne, sql, type StoreOperation } from '../db/store-operation.ts';
import type { SearchedWords } from '../../rules/search/searched-task.ts';
import type { TaskToIndex } from './search-queue.ts';

export interface SaveSearchedArgs {
  /** The task as it was claimed. */
  task: TaskToIndex;
  /** The last event that had been read when the row was read; null if there was no row. */
  formerSeq: number | null;
  /** The last event that has been read now. */
  seq: number;
  /** Null if nothing has changed. */
  found: SearchedWords | null;
  /** The beginnings of text files that were read. */
  files: readonly { artifactId: string; content: string }[];
}

/** Numbers of tasks that were created in one millisecond. */
const numbersOfMs = 1024;
const largestRow = computedCodec('numbers', { largest: nullable(integer) });

/** Stores the words of a task for the first time, under the first free number of its millisecond; later ones follow behind. */
function* insertWords({ task, seq }: SaveSearchedArgs, found: SearchedWords, createdAtMs: number): Script<void> {
  const { accountId, taskId } = task;
  for (let from = createdAtMs * numbersOfMs; ; ) {
    const taken = yield* selectOne(
      'SELECT MAX(number) AS largest FROM searched_tasks WHERE number >= ? AND number < ?',
      from,
      from + numbersOfMs,
    );
    const number = (largestRow.largest(taken) ?? from - 1) + 1;
    if (number >= from + numbersOfMs) {
      from += numbersOfMs;
      continue;
    }
    const [[inserted] = [], [existing] = []] = yield [
      sql(
        `INSERT INTO searched_tasks (account_id, task_id, number, seq, words, places) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING RETURNING number`,
        accountId,
        taskId,
        number,
        seq,
        found.words,
        JSON.stringify(found.places),
      ),
      sql('SELECT number FROM searched_tasks WHERE account_id = ? AND task_id = ?', accountId, taskId),
    ];
    // Otherwise another process has taken the number meanwhile.
    if (inserted || existing) return;
  }
}

/**
 * Stores the words of a task, and that it is no longer due, unless it has been claimed meanwhile; a task that runs stays due. Stores nothing of
 * a task that was deleted, or that another indexer has finished first.
 */
export const saveSearched: StoreOperation<SaveSearchedArgs, null> = {
  name: 'search.save',
  access: 'write',
  keys: ({ task }) => [task.taskId],
  *run(args) {
    const { task, formerSeq, seq, found, files } = args;
    const { accountId, taskId, searchDueAtMs } = task;
    const row = yield* selectFirst(
      `UPDATE tasks SET search_due_at = CASE WHEN search_due_at <> ? THEN search_due_at WHEN status = 'running' THEN errand_now() END
       WHERE account_id = ? AND id = ? AND search_due_at IS NOT NULL RETURNING created_at`,
      searchDueAtMs,
      accountId,
      taskId,
    );
    if (!row || found === null) return null;
    if (formerSeq === null) yield* insertWords(args, found, taskRow.created_at(row));
    else {
      yield* selectAll(
        'UPDATE searched_tasks SET seq = ?, words = ?, places = ? WHERE account_id = ? AND task_id = ? AND seq = ? RETURNING seq',
        seq,
        found.words,
        JSON.stringify(found.places),
        accountId,
        taskId,
        formerSeq,
      );
    }
    yield files.map(({ artifactId, content }) =>
      sql(
        `INSERT INTO searched_files (account_id, task_id, artifact_id, content) VALUES (?, ?, ?, ?)
         ON CONFLICT (account_id, task_id, artifact_id) DO UPDATE SET content = excluded.content`,
        accountId,
        taskId,
        artifactId,
        content,
      ),
    );
    return null;
  },
};
