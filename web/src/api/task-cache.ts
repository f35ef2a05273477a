import type { Task } from '@errand/client';
import type { InfiniteData } from '@tanstack/react-query';
import type { ListPage } from './paging.ts';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';

type TaskPages = InfiniteData<ListPage<Task>, string | undefined>;
type Change = (task: Task) => Task | null;

function changePages(data: TaskPages | undefined, change: Change): TaskPages | undefined {
  return (
    data && { ...data, pages: data.pages.map((page) => ({ ...page, data: page.data.flatMap((task) => change(task) ?? []) })) }
  );
}

/** What was known before a change, to go back to. */
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

/** Shows facts about a task at once wherever it is shown: in lists and as `keys.task`. Answers how to take them back. */
export function patchTask(taskId: string, facts: Partial<Task>): () => void {
  const undo = takeSnapshot();
  changeTask(taskId, (task) => ({ ...task, ...facts }));
  queryClient.setQueryData<Task>(keys.task(taskId), (task) => task && { ...task, ...facts });
  return undo;
}

/** Takes a task out of all lists. Answers how to put it back. */
export function dropTask(taskId: string): () => void {
  const undo = takeSnapshot();
  changeTask(taskId, () => null);
  return undo;
}

/** Brings a list up to date with its newest page: tasks that are new stand first, those that are known are replaced. */
export function mergeNewest(data: TaskPages | undefined, newest: readonly Task[]): TaskPages | undefined {
  if (!data) return data;
  const fresh = new Map(newest.map((task) => [task.id, task]));
  const known = new Set(data.pages.flatMap((page) => page.data.map((task) => task.id)));
  const added = newest.filter((task) => !known.has(task.id));
  const replaced = changePages(data, (task) => fresh.get(task.id) ?? task);
  const [first, ...others] = replaced?.pages ?? [];
  return first && replaced && { ...replaced, pages: [{ ...first, data: [...added, ...first.data] }, ...others] };
}
