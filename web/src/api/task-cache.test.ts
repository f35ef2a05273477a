import type { Task } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { dropTask, mergeNewest, patchTask } from './task-cache.ts';

const task = (id: string, facts: Partial<Task> = {}) => ({ id, title: id, status: 'running', ...facts }) as Task;
const pages = (...lists: Task[][]) => ({ pages: lists.map((data) => ({ data, has_more: true })), pageParams: [] });
const titles = () =>
  queryClient.getQueryData<ReturnType<typeof pages>>(keys.taskList({}))?.pages.map((page) => page.data.map(({ title }) => title));

describe('what is known of tasks', () => {
  it('changes everywhere at once, and goes back when the service refuses', () => {
    queryClient.setQueryData(keys.taskList({}), pages([task('a'), task('b')], [task('c')]));
    queryClient.setQueryData(keys.task('c'), task('c'));
    const undo = patchTask('c', { title: 'renamed' });
    expect(titles()).toEqual([['a', 'b'], ['renamed']]);
    expect(queryClient.getQueryData<Task>(keys.task('c'))?.title).toBe('renamed');
    const putBack = dropTask('a');
    expect(titles()).toEqual([['b'], ['renamed']]);
    putBack();
    undo();
    expect(titles()).toEqual([['a', 'b'], ['c']]);
    expect(queryClient.getQueryData<Task>(keys.task('c'))?.title).toBe('c');
  });

  it('takes news from the newest page without losing or doubling a task of later pages', () => {
    const merged = mergeNewest(pages([task('c'), task('b')], [task('a')]), [
      task('d'),
      task('c', { status: 'stopped' }),
      task('b'),
    ]);
    expect(merged?.pages.map((page) => page.data.map(({ id, status }) => `${id} ${status}`))).toEqual([
      ['d running', 'c stopped', 'b running'],
      ['a running'],
    ]);
  });
});
