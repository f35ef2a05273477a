import type { Task } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { dropTask, mergeNewest, patchTask, takeListChange } from './task-cache.ts';

const task = (id: string, facts: Partial<Task> = {}) => ({ id, title: id, status: 'running', ...facts }) as Task;
const pages = (...lists: Task[][]) => ({ pages: lists.map((data) => ({ data, has_more: true })), pageParams: [] });
const titles = () =>
  queryClient.getQueryData<ReturnType<typeof pages>>(keys.taskList({}))?.pages.map((page) => page.data.map(({ title }) => title));

describe('the task cache', () => {
  it('updates a task everywhere at once, and reverts the update if the service rejects it', () => {
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

  it('merges the newest page without losing or duplicating tasks of later pages', () => {
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

  it('applies changes of the newest tasks: new, changed and deleted ones, and never older ones', () => {
    const many = Array.from({ length: 60 }, (_, index) => task(`t${99 - index}`));
    queryClient.setQueryData(keys.taskList({}), pages(many.slice(0, 50), many.slice(50)));
    queryClient.setQueryData(keys.taskList({ text: 't' }), pages(many));
    takeListChange({ is_whole: false, tasks: [task('u1'), task('t98', { title: 'renamed' })], gone: ['t99'] });
    expect(titles()?.flat().slice(0, 3)).toEqual(['u1', 'renamed', 't97']);
    expect(queryClient.getQueryData<ReturnType<typeof pages>>(keys.taskList({ text: 't' }))?.pages[0]?.data).toHaveLength(59);
    const newest = [task('u1'), ...many.slice(2, 51)].filter(({ id }) => id !== 't90');
    takeListChange({ is_whole: true, tasks: [task('u2'), ...newest], gone: [] });
    expect(titles()?.flat()).toEqual(['u2', 'u1', ...many.slice(2).map(({ id }) => id)].filter((id) => id !== 't90'));
    takeListChange({ is_whole: true, tasks: [task('u2')], gone: [] });
    expect(titles()?.flat()).toEqual(['u2']);
  });
});
