import { expect, it } from 'vitest';
import { TestClock } from './test-clock.ts';

it('runs due timers in the order of their times, each with its promises before the next', async () => {
  const clock = new TestClock(0);
  const ran: string[] = [];
  const note = (name: string) => () => {
    ran.push(`${name} at ${clock.now()}`);
    void Promise.resolve().then(() => ran.push(`${name} settled`));
  };
  clock.setTimer(note('late'), 20);
  clock.setTimer(note('early'), 10);
  clock.setTimer(note('early too'), 10);
  clock.setTimer(note('never'), 21);
  await clock.advance(20);
  expect(ran).toEqual(['early at 10', 'early settled', 'early too at 10', 'early too settled', 'late at 20', 'late settled']);
  expect(clock.timerCount).toBe(1);
  expect(clock.nextTimerMs).toBe(1);
});

it('runs timers set by timers, if they become due in the meantime', async () => {
  const clock = new TestClock();
  let count = 0;
  const tick = () => {
    count += 1;
    clock.setTimer(tick, 10);
  };
  tick();
  await clock.advance(100);
  expect(count).toBe(11);
});

it('keeps the monotonic time apart from a wall clock that jumps', async () => {
  const clock = new TestClock(1_000_000);
  clock.jump(-500_000);
  await clock.advance(10);
  expect(clock.now()).toBe(500_010);
  expect(clock.monotonic()).toBe(10);
});
