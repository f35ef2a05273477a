import { describe, expect, it } from 'vitest';
import { auditRuns, type Expected, type Fired } from './schedule-audit.ts';

const schedules: Expected[] = ['a', 'b'].map((scheduleId) => ({ scheduleId, firstAtMs: 1000, everyMs: 5000 }));
const untilMs = 12_000;

const whole: Fired[] = schedules.flatMap(({ scheduleId }) =>
  [1000, 6000, 11_000].map((dueAtMs) => ({
    ...{ scheduleId, dueAtMs, outcome: 'started', reason: '' },
    taskId: `${scheduleId}${dueAtMs}`,
  })),
);

/** The verdict on these runs, each task of which exists. */
function audit(runs: readonly Fired[], taskIds = runs.flatMap(({ taskId }) => taskId ?? [])): string[] {
  return auditRuns(schedules, { runs, taskIds, untilMs });
}

describe('the check of runs after kills', () => {
  it('finds nothing wrong with a run and a task for each time', () => {
    expect(audit(whole)).toEqual([]);
  });

  it.each(whole.map(({ scheduleId, dueAtMs }) => [`${scheduleId} ${dueAtMs}`]))('notices that the run of %s is lost', (time) => {
    expect(audit(whole.filter(({ scheduleId, dueAtMs }) => `${scheduleId} ${dueAtMs}` !== time))).toEqual([`${time}: no run`]);
  });

  it('notices a schedule without runs', () => {
    expect(audit(whole.filter(({ scheduleId }) => scheduleId === 'a'))).toHaveLength(3);
  });

  it('notices a schedule whose runs stop early', () => {
    expect(audit(whole.filter(({ scheduleId, dueAtMs }) => scheduleId === 'a' || dueAtMs < 6000))).toHaveLength(2);
  });

  it('notices a run that started nothing, one at another time, and one recorded twice', () => {
    const [first, ...others] = whole as [Fired, ...Fired[]];
    expect(audit([{ ...first, outcome: 'failed', reason: 'full', taskId: null }, ...others])).toEqual(['a 1000: failed full']);
    expect(audit([...whole, { ...first, dueAtMs: 2000, taskId: 'more' }])).toEqual(['a 2000: not its time']);
    expect(audit([...whole, { ...first, taskId: 'more' }])).toEqual(['a 1000: twice']);
  });

  it('notices a task of two runs and one of none', () => {
    const [first, second, ...others] = whole as [Fired, Fired, ...Fired[]];
    const tasks = whole.map(({ taskId }) => String(taskId));
    expect(audit([first, { ...second, taskId: first.taskId }, ...others], tasks)).toHaveLength(2);
    expect(audit(whole, [...tasks, 'stranger'])).toEqual(['7 tasks for 6, 1 of no run']);
  });
});
