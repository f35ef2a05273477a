import type { Task } from '@errand/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from './paging.ts';
import { queryClient } from './query-client.ts';
import { keys, type TaskFilter } from './query-keys.ts';
import type { WebOperations } from './web-operations.ts';

/** A task as lists have it. */
export type ListedTask = WebOperations['task.search']['response']['data'][number];
/** Where the words of a search were found in it. */
export type TaskMatch = NonNullable<ListedTask['match']>;

type TaskPages = InfiniteData<ListPage<ListedTask>, string | undefined>;
type Change = (task: ListedTask) => ListedTask | null;

/** Updates about the newest tasks (`task.watch`). */
export interface ListChange {
  /** Whether `tasks` is the complete list or only new and changed tasks. */
  is_whole: boolean;
  tasks: readonly Task[];
  /** Ids of deleted tasks. */
  gone: readonly string[];
}

/** The size of the newest page; if there are fewer, there are no others. */
const newestCount = 50;

function changePages(data: TaskPages | undefined, change: Change): TaskPages | undefined {
  return (
    data && { ...data, pages: data.pages.map((page) => ({ ...page, data: page.data.flatMap((task) => change(task) ?? []) })) }
  );
}

/** The state before a change, to roll back to. */
function takeSnapshot(): () => void {
  const lists = queryClient.getQueriesData<TaskPages>({ queryKey: keys.tasks });
  const details = queryClient.getQueriesData<Task>({ queryKey: ['task'] });
  return () => {
    for (const [key, data] of [...lists, ...details]) queryClient.setQueryData(key, data);
  };
}

function changeTask(taskId: string, change: Change): void {
  const changeOne = (task: Task) => (task.id === taskId ? change(task) : task);
  queryClient.setQueriesData<TaskPages>({ queryKey: keys.tasks }, (data) => changePages(data, changeOne));
}

/** A task from one of the cached lists, as it was when read. */
export function findListedTask(taskId: string): Task | undefined {
  const lists = queryClient.getQueriesData<TaskPages>({ queryKey: keys.tasks });
  return lists.flatMap(([, data]) => data?.pages.flatMap((page) => page.data) ?? []).find(({ id }) => id === taskId);
}

/** Whether the user owns it; lists only contain one's own tasks. */
export function isListedTask(taskId: string): boolean {
  return findListedTask(taskId) !== undefined;
}

/** Changes a task wherever it is shown: in lists and as `keys.task`. Returns a rollback. */
export function patchTask(taskId: string, facts: Partial<Task>): () => void {
  const undo = takeSnapshot();
  changeTask(taskId, (task) => ({ ...task, ...facts }));
  queryClient.setQueryData<Task>(keys.task(taskId), (task) => task && { ...task, ...facts });
  return undo;
}

/** Removes a task from all lists. Returns a rollback. */
export function dropTask(taskId: string): () => void {
  const undo = takeSnapshot();
  changeTask(taskId, () => null);
  return undo;
}

/** Updates a list with its newest page: new tasks come first, known ones are replaced. */
export function mergeNewest(data: TaskPages | undefined, newest: readonly ListedTask[]): TaskPages | undefined {
  if (!data) return data;
  const fresh = new Map(newest.map((task) => [task.id, task]));
  const known = new Set(data.pages.flatMap((page) => page.data.map((task) => task.id)));
  const added = newest.filter((task) => !known.has(task.id));
  const replaced = changePages(data, (task) => fresh.get(task.id) ?? task);
  const [first, ...others] = replaced?.pages ?? [];
  return first && replaced && { ...replaced, pages: [{ ...first, data: [...added, ...first.data] }, ...others] };
}

/** The newest tasks in the cache; null before they were read. */
export function readNewest(): Task[] | null {
  const data = queryClient.getQueryData<TaskPages>(keys.taskList({}));
  return data ? data.pages.flatMap((page) => page.data).slice(0, newestCount) : null;
}

/** The tasks in a list that no longer exist on the service. */
function findGone(data: TaskPages | undefined, { is_whole: isWhole, tasks, gone }: ListChange): ReadonlySet<string> {
  if (!isWhole) return new Set(gone);
  const there = new Set(tasks.map(({ id }) => id));
  // It says nothing about tasks older than a full page.
  const oldest = tasks.length < newestCount ? '' : (tasks.at(-1)?.id ?? '');
  const known = data?.pages.flatMap((page) => page.data) ?? [];
  return new Set(known.flatMap(({ id }) => (id > oldest && !there.has(id) ? id : [])));
}

const endListeners = new Set<(task: Task) => void>();

/** Calls back with every task that becomes idle. */
export function watchTaskEnds(listener: (task: Task) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

function notifyTaskEnds(tasks: readonly Task[]): void {
  if (endListeners.size === 0) return;
  for (const task of tasks) {
    if (task.status === 'running' || findListedTask(task.id)?.status !== 'running') continue;
    for (const listener of endListeners) listener(task);
  }
}

const waits = (task: Task | undefined) => task?.status === 'waiting' || task?.status === 'error';

/** Reads the inbox again if a task waits for a person since then, or no longer. */
function refreshInbox({ is_whole: isWhole, tasks, gone }: ListChange): void {
  const isTouched = tasks.some((task) => waits(task) || waits(findListedTask(task.id))) || gone.length > 0;
  if (isWhole || isTouched) void queryClient.invalidateQueries({ queryKey: keys.inbox });
}

/** The task as it is now; where the words of a search were found is not in updates. */
function renew(task: ListedTask, fresh: Task | undefined): ListedTask {
  return fresh ? { ...fresh, ...(task.match && { match: task.match }) } : task;
}

interface CachedList {
  queryKey: readonly unknown[];
}

const filterOf = ({ queryKey }: CachedList): TaskFilter => queryKey[1] ?? {};
const isArchive = (list: CachedList) => filterOf(list).is_archived === true;
const isPinned = (list: CachedList) => filterOf(list).is_pinned === true;
/** Only the service knows whether a task matches another filter. */
const isNarrow = (list: CachedList) => Object.keys(filterOf(list)).length > 0 && !isPinned(list);

/** Applies the newest tasks from the service to the list of all tasks and to every list that contains one of them. */
export function takeListChange(change: ListChange): void {
  const all = keys.taskList({});
  notifyTaskEnds(change.tasks);
  refreshInbox(change);
  const gone = findGone(queryClient.getQueryData<TaskPages>(all), change);
  const fresh = new Map(change.tasks.map((task) => [task.id, task]));
  queryClient.setQueryData<TaskPages>(all, (data) => mergeNewest(data, change.tasks));
  const pinned = change.tasks.filter((task) => task.is_pinned);
  queryClient.setQueriesData<TaskPages>({ queryKey: keys.tasks, predicate: isPinned }, (data) => mergeNewest(data, pinned));
  queryClient.setQueriesData<TaskPages>({ queryKey: keys.tasks, predicate: (query) => !isArchive(query) }, (data) =>
    changePages(data, (task) => (gone.has(task.id) ? null : renew(task, fresh.get(task.id)))),
  );
  // What is gone from the others may have been moved there.
  if (gone.size > 0) void queryClient.invalidateQueries({ queryKey: keys.tasks, predicate: isArchive });
  for (const task of change.tasks) queryClient.setQueryData<Task>(keys.task(task.id), (known) => known && task);
  if (change.is_whole) return;
  void queryClient.invalidateQueries({ queryKey: keys.newestTasks, predicate: isNarrow });
  void queryClient.invalidateQueries({ queryKey: keys.taskShows });
}
