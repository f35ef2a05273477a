import { expect, it } from 'vitest';
import { followRequest, type TakeRequest } from './take-over.ts';

const follow = (request: TakeRequest, ...drivers: Parameters<typeof followRequest>[1][]) =>
  drivers.reduce<TakeRequest>(followRequest, request);

it('waits for a browser that it has asked for, and no longer than that', () => {
  expect(follow('asked', 'agent', 'agent')).toBe('asked');
  expect(follow('asked', 'agent', 'you')).toBe('held');
  expect(follow('asked', 'you', 'agent')).toBe('none');
  expect(follow('asked', 'you', 'nobody', 'agent')).toBe('none');
  expect(follow('asked', 'person', 'agent')).toBe('none');
  expect(follow('asked', 'nobody', 'agent')).toBe('none');
  expect(follow('none', 'agent')).toBe('none');
});

it('keeps a refusal until something else is true', () => {
  expect(follow('refused', 'agent')).toBe('refused');
  expect(follow('refused', 'you')).toBe('held');
  expect(follow('refused', 'person', 'agent')).toBe('none');
});
