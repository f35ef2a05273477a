import { describe, expect, it } from 'vitest';
import { findNeighbour } from './task-order.ts';

describe('the next task by keyboard', () => {
  const tasks = [{ id: 'c' }, { id: 'b' }, { id: 'a' }];

  it('is the one below, the previous is the one above, and neither leaves the list', () => {
    expect([findNeighbour(tasks, 'b', 1), findNeighbour(tasks, 'b', -1)]).toEqual(['a', 'c']);
    expect([findNeighbour(tasks, 'a', 1), findNeighbour(tasks, 'c', -1)]).toEqual([null, null]);
  });

  it('is the newest from anywhere else', () => {
    expect([findNeighbour(tasks, null, 1), findNeighbour(tasks, 'gone', -1), findNeighbour([], null, 1)]).toEqual([
      'c',
      'c',
      null,
    ]);
  });
});
