import { cutSnippet, type SnippetPart } from '../../rules/search/snippet.ts';
import {
  chooseBestPlace,
  longestText,
  type Place,
  type PlaceKind,
  textOfMessage,
  writeIndexQuery,
} from '../../rules/search/searched-task.ts';
import type { Query } from '../../rules/search/words.ts';
import { computedCodec, nullable, text } from '../db/row-codec.ts';
import {
  marks,
  padToPowerOfTwo,
  repeat,
  type Row,
  type Script,
  selectAll,
  selectFirst,
  selectOne,
  type SqlValue,
  type StoreOperation,
} from '../db/store-operation.ts';
import { eventRow } from '../events/events.ts';
import { readTask, type TaskRecord, taskColumns } from '../tasks/task-record.ts';
import { conditionsOf, type SearchTasksArgs } from '../tasks/task-search.ts';
import { searchedFileRow, searchedTaskRow } from './search-queue.ts';

export interface FindTasksArgs
  extends Pick<
    SearchTasksArgs,
    | 'accountId'
    | 'statuses'
    | 'projectId'
    | 'agentId'
    | 'apiKeyId'
    | 'oauthClientId'
    | 'isListedOnly'
    | 'isArchived'
    | 'isPinned'
    | 'limit'
  > {
  query: Query;
  /** The last task of the previous page; null starts. If it has been deleted, the list ends. */
  afterId: string | null;
}

/** Where in a task the words were found, and what stands there. */
export interface TaskMatch {
  kind: PlaceKind;
  /** The event of a message or reply; null for a title or file. */
  event: { seq: number; atMs: number } | null;
  /** The artifact of a file; null for all others. */
  artifactId: string | null;
  snippet: SnippetPart[];
}

export interface FoundTask {
  task: TaskRecord;
  match: TaskMatch;
}

const fewRow = computedCodec('tasks with rare words', { numbers: nullable(text) });

/** Tasks looked at for one page in one statement, if they are looked up by their numbers. */
const numbersAtOnce = 512;

/** The newest tasks of an account that are read for the words of a query before its index. */
const readFirst = 256;

/** The conditions of a page without those of its words. */
function filterOf({ query: _query, afterId: _after, limit, ...filter }: FindTasksArgs): { text: string; params: SqlValue[] } {
  const none = {
    afterId: null,
    texts: [],
    order: 'desc',
    sortBy: 'created_at',
    createdFromMs: null,
    createdUntilMs: null,
  } as const;
  const conditions = [...conditionsOf({ ...filter, ...none, limit })];
  return {
    text: conditions.map(([condition]) => condition).join(' AND '),
    params: conditions.flatMap(([, ...values]) => values),
  };
}

/** The number of the last task of the previous page; null if there is none, 0 if it is gone. */
function* findLastNumber({ accountId, afterId }: FindTasksArgs): Script<number | null> {
  if (afterId === null) return null;
  const row = yield* selectFirst('SELECT number FROM searched_tasks WHERE account_id = ? AND task_id = ?', accountId, afterId);
  return row ? searchedTaskRow.number(row) : 0;
}

/** The page of tasks among those with these numbers, which are sorted. */
function* selectAmong(numbers: readonly number[], args: FindTasksArgs): Script<string[]> {
  const filter = filterOf(args);
  const found: string[] = [];
  for (let at = 0; at < numbers.length && found.length < args.limit; at += numbersAtOnce) {
    const some = padToPowerOfTwo(numbers.slice(at, at + numbersAtOnce));
    const rows = yield* selectAll(
      `SELECT s.task_id FROM searched_tasks s JOIN tasks t ON t.account_id = s.account_id AND t.id = s.task_id
       WHERE s.account_id = ? AND s.number IN (${marks(some.length)}) AND ${filter.text} ORDER BY s.number DESC LIMIT ?`,
      args.accountId,
      ...some,
      ...filter.params,
      args.limit - found.length,
    );
    found.push(...rows.map(searchedTaskRow.task_id));
  }
  return found;
}

/**
 * The page of tasks that have these words among the newest of the account. SQLite collects all hits of the beginning of a word before the
 * first can be read; a word that fills a page here never comes to that.
 */
function* selectAmongNewest(words: string, lastNumber: number | null, args: FindTasksArgs): Script<string[]> {
  const filter = filterOf(args);
  const patterns = words.split(' ').map((word) => (word.endsWith('*') ? `% ${word.slice(0, -1)}%` : `% ${word} %`));
  const rows = yield* selectAll(
    `SELECT s.task_id FROM (
       SELECT account_id, task_id, number, words FROM searched_tasks
       WHERE account_id = ? ${lastNumber === null ? '' : 'AND number < ?'} ORDER BY number DESC LIMIT ?
     ) s JOIN tasks t ON t.account_id = s.account_id AND t.id = s.task_id
     WHERE ${patterns.map(() => "' ' || s.words || ' ' LIKE ?").join(' AND ')} AND ${filter.text} ORDER BY s.number DESC LIMIT ?`,
    args.accountId,
    ...(lastNumber === null ? [] : [lastNumber]),
    readFirst,
    ...patterns,
    ...filter.params,
    args.limit,
  );
  return rows.map(searchedTaskRow.task_id);
}

/** The page of tasks that have these words, from the newest on, until it is full. */
function* selectNewest(words: string, lastNumber: number | null, args: FindTasksArgs): Script<string[]> {
  const filter = filterOf(args);
  const rows = yield* selectAll(
    `SELECT s.task_id FROM searched_words(?) w JOIN searched_tasks s ON s.number = w.rowid
     JOIN tasks t ON t.account_id = s.account_id AND t.id = s.task_id
     WHERE s.account_id = ? ${lastNumber === null ? '' : 'AND w.rowid < ?'} AND ${filter.text} ORDER BY w.rowid DESC LIMIT ?`,
    words,
    args.accountId,
    ...(lastNumber === null ? [] : [lastNumber]),
    ...filter.params,
    args.limit,
  );
  return rows.map(searchedTaskRow.task_id);
}

/** The page of tasks that have all words, newest first. */
function* selectPage(args: FindTasksArgs): Script<string[]> {
  const words = writeIndexQuery(args.accountId, args.query);
  const lastNumber = yield* findLastNumber(args);
  const few = fewRow.numbers(yield* selectOne('SELECT few_searched(?) AS numbers', words));
  if (few === null) {
    const newest = yield* selectAmongNewest(words, lastNumber, args);
    return newest.length === args.limit ? newest : yield* selectNewest(words, lastNumber, args);
  }
  const numbers = (JSON.parse(few) as number[]).filter((number) => lastNumber === null || number < lastNumber);
  return yield* selectAmong(numbers, args);
}

/** Reads the rows of a table with these keys; an empty list reads nothing. */
function* selectByKeys(select: string, key: string, keys: readonly (readonly SqlValue[])[]): Script<Row[]> {
  const [first] = keys;
  if (!first) return [];
  // PostgreSQL takes every parameter in a list of rows for text.
  const row = first.map((value) => (typeof value === 'number' ? 'CAST(? AS BIGINT)' : '?')).join(', ');
  return yield* selectAll(`${select} WHERE (${key}) IN (VALUES ${repeat(`(${row})`, keys.length)})`, ...keys.flat());
}

type BestPlace = Omit<Place, 'words'>;

/** The texts of these places by `task seq` or `task artifact`, with the times of events. */
function* readTexts(accountId: string, places: ReadonlyMap<string, BestPlace>) {
  const list = [...places];
  const events = yield* selectByKeys(
    'SELECT task_id, seq, at, body FROM events',
    'account_id, task_id, seq',
    list.filter(([, { seq }]) => seq > 0).map(([taskId, { seq }]) => [accountId, taskId, seq]),
  );
  const files = yield* selectByKeys(
    'SELECT task_id, content FROM searched_files',
    'account_id, task_id, artifact_id',
    list.flatMap(([taskId, { artifactId }]) => (artifactId === null ? [] : [[accountId, taskId, artifactId]])),
  );
  return {
    events: new Map(events.map((row) => [eventRow.task_id(row), { atMs: eventRow.at(row), body: eventRow.body(row) }])),
    files: new Map(files.map((row) => [searchedFileRow.task_id(row), searchedFileRow.content(row)])),
  };
}

/** Finds tasks by the words of their titles, messages, replies, and files, newest first, with the best place in each. */
export const findTasks: StoreOperation<FindTasksArgs, FoundTask[]> = {
  name: 'search.findTasks',
  access: 'read',
  scans: ({ accountId }) => accountId,
  *run(args) {
    const { accountId, query } = args;
    const page = yield* selectPage(args);
    const keys = page.map((taskId) => [accountId, taskId]);
    const tasks = yield* selectByKeys(`SELECT ${taskColumns} FROM tasks t`, 't.account_id, t.id', keys);
    const searched = yield* selectByKeys('SELECT task_id, words, places FROM searched_tasks', 'account_id, task_id', keys);
    const places = new Map(
      searched.flatMap((row) => {
        const place = chooseBestPlace({ words: searchedTaskRow.words(row), places: searchedTaskRow.places(row) }, query);
        return place ? [[searchedTaskRow.task_id(row), place] as const] : [];
      }),
    );
    const { events, files } = yield* readTexts(accountId, places);
    const records = new Map(tasks.map(readTask).map((task) => [task.id, task]));
    return page.flatMap((taskId): FoundTask[] => {
      const [task, place] = [records.get(taskId), places.get(taskId)];
      if (!task || !place) return [];
      const event = events.get(taskId);
      const content = event ? textOfMessage(event.body) : place.kind === 'file' ? (files.get(taskId) ?? '') : task.title;
      return [
        {
          task,
          match: {
            kind: place.kind,
            event: event ? { seq: place.seq, atMs: event.atMs } : null,
            artifactId: place.artifactId,
            snippet: cutSnippet(content.slice(0, longestText), query),
          },
        },
      ];
    });
  },
};
