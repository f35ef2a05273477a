import { expect, it } from 'vitest';
import { WorkerSlots } from './worker-slots.ts';

it('counts what is held for nobody as for one more person of the account', () => {
  const slots = new WorkerSlots(4);
  slots.take('a', 'ann');
  slots.take('a');
  slots.take('a', null);
  expect(slots.listPeople()).toEqual([
    ['a', 'ann', 1],
    ['a', '', 2],
  ]);
  slots.leave('a');
  slots.leave('a', null);
  slots.leave('a', 'ann');
  expect(slots.listPeople()).toEqual([]);
});
