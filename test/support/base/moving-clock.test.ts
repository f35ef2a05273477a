import { systemClock } from '@errand/base/clock.ts';
import { expect, it } from 'vitest';
import { MovingClock } from './moving-clock.ts';

const day = 86_400_000;

it('runs what it makes due, in the order of the times, and not what was cancelled', () => {
  const clock = new MovingClock();
  const ran: string[] = [];
  clock.setTimer(() => ran.push('late'), day);
  const cancelled = clock.setTimer(() => ran.push('cancelled'), day);
  clock.setTimer(() => {
    ran.push('early');
    cancelled.cancel();
  }, day - 1);
  clock.setTimer(() => ran.push('never'), 3 * day);
  clock.advance(day);
  expect(ran).toEqual(['early', 'late']);
  clock.advance(day);
  expect(ran).toEqual(['early', 'late']);
});

it('brings nearer what is not due yet', async () => {
  const clock = new MovingClock();
  const rung = new Promise<number>((resolve) => clock.setTimer(() => resolve(clock.monotonic()), day));
  const startedAt = clock.monotonic();
  clock.advance(day - 5);
  expect((await rung) - startedAt).toBeGreaterThanOrEqual(day - 1);
});

it('is ahead of the system for as much as it was advanced', () => {
  const clock = new MovingClock();
  const before = clock.monotonic();
  clock.advance(day);
  expect(clock.monotonic() - before).toBeGreaterThanOrEqual(day);
  expect(clock.now() - systemClock.now()).toBeGreaterThanOrEqual(day);
});
