import { describe, expect, it } from 'vitest';
import { findAdjacentTask } from './task-order.ts';

describe('the next task by keyboard', () => {
  const tasks = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];

  it('is the one below, the previous is the one above, and neither leaves the list', () => {
    expect([findAdjacentTask(tasks, 'b', 1), findAdjacentTask(tasks, 'b', -1)]).toEqual(['a', 'c']);
    expect([findAdjacentTask(tasks, 'a', 1), findAdjacentTask(tasks, 'c', -1)]).toEqual([null, null]);
  });

  it('is the newest from anywhere else', () => {
    expect([findAdjacentTask(tasks, null, 1), findAdjacentTask(tasks, 'gone', -1), findAdjacentTask([], null, 1)]).toEqual([
      'c',
      'c',
      null,
    ]);
  });
});
