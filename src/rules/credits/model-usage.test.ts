import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TaskEvent } from '../events/task-event.ts';
import { findLastModel, listCallUsage } from './model-usage.ts';
import { meterEvents } from './pricing.ts';

const usage = { input: 10, output: 2, cached: 4 };
const start = (model: string, estimatedCost: number): TaskEvent => {
  return { type: 'model_started', step: 1, attempt: 1, model, estimatedInput: 1, estimatedCost };
};
const end = (cost?: number): TaskEvent => ({
  type: 'model_finished',
  step: 1,
  parts: [],
  usage,
  ...(cost !== undefined && { cost }),
});
const nothing = { model: null, cost: 0 };

it('names the model of each call, also of one that began earlier', () => {
  expect(listCallUsage([start('a', 5), end(7), start('b', 5), end(3)], nothing, true)).toEqual([
    { ...usage, model: 'a', cost: 7 },
    { ...usage, model: 'b', cost: 3 },
  ]);
  expect(listCallUsage([end(7)], { model: 'a', cost: 5 }, false)).toEqual([{ ...usage, model: 'a', cost: 7 }]);
  expect(findLastModel([start('a', 5), end(7), start('b', 5)])).toBe('b');
  expect(findLastModel([end(7)])).toBeUndefined();
});

it('counts an interrupted call with its estimate, under its own model', () => {
  expect(listCallUsage([start('b', 2)], { model: 'a', cost: 5 }, false)).toEqual([
    { input: 0, output: 0, cached: 0, model: 'a', cost: 5 },
  ]);
  expect(listCallUsage([{ type: 'user_stopped' }], { model: 'a', cost: 5 }, true)).toEqual([
    { input: 0, output: 0, cached: 0, model: 'a', cost: 5 },
  ]);
  expect(listCallUsage([end()], { model: 'a', cost: 5 }, false)).toEqual([{ ...usage, model: 'a', cost: 5 }]);
});

it('adds up to what the meter charges', () => {
  const event = fc.oneof(
    fc.nat(9).map((cost) => start('a', cost)),
    fc.nat(9).map((cost) => end(cost)),
    fc.constant(end()),
    fc.constant<TaskEvent>({ type: 'failed' }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), fc.nat(9), fc.boolean(), (events, openCost, isOver) => {
      const { chargesOpen, cost, open } = meterEvents(events);
      const charged = chargesOpen || (isOver && open === null) ? openCost : 0;
      const expected = cost + charged + (isOver ? (open ?? 0) : 0);
      const calls = listCallUsage(events, { model: 'm', cost: openCost }, isOver);
      expect(calls.reduce((sum, call) => sum + call.cost, 0)).toBe(expected);
    }),
  );
});
