import { describe, expect, it } from 'vitest';
import { readListSearch, toTaskFilter } from './task-filter.ts';

describe('the filter of the task list', () => {
  it('reads only known parameters from the URL', () => {
    expect(readListSearch({ q: 'a', status: 'gone', project: 7, from: 'key:k', other: 'x' })).toEqual({ q: 'a', from: 'key:k' });
    expect(readListSearch({ q: '', status: 'waiting' })).toEqual({ status: 'waiting' });
  });

  it('sends all of them to the service', () => {
    expect(toTaskFilter({})).toEqual({});
    expect(toTaskFilter({ q: 'may', status: 'waiting', project: 'p', from: 'app:a:b' })).toEqual({
      text: 'may',
      status: 'waiting',
      project_id: 'p',
      oauth_client_id: 'a:b',
    });
    expect(toTaskFilter({ from: 'key:k' })).toEqual({ api_key_id: 'k' });
  });
});
