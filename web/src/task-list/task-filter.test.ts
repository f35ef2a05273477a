import type { Task } from '@errand/client';
import { describe, expect, it } from 'vitest';
import { matchesSearch, readListSearch, toTaskFilter } from './task-filter.ts';

const task = (title: string, status: Task['status'] = 'stopped') => ({ title, status }) as Task;

describe('the filter of the task list', () => {
  it('takes from the address only what it knows', () => {
    expect(readListSearch({ q: 'a', status: 'gone', project: 7, from: 'key:k', other: 'x' })).toEqual({ q: 'a', from: 'key:k' });
    expect(readListSearch({ q: '', status: 'waiting' })).toEqual({ status: 'waiting' });
  });

  it('asks the service for a project and for who created the task', () => {
    expect(toTaskFilter({ q: 'a', status: 'running' })).toEqual({});
    expect(toTaskFilter({ project: 'p', from: 'app:a:b' })).toEqual({
      scope: 'project',
      project_id: 'p',
      oauth_client_id: 'a:b',
    });
    expect(toTaskFilter({ from: 'key:k' })).toEqual({ api_key_id: 'k' });
  });

  it('finds the words of a title in any order and letter case', () => {
    expect(matchesSearch(task('Quarterly Report for May'), { q: 'may quarter' })).toBe(true);
    expect(matchesSearch(task('Quarterly Report'), { q: 'may' })).toBe(false);
    expect(matchesSearch(task('Report', 'running'), { q: ' ', status: 'stopped' })).toBe(false);
  });
});
