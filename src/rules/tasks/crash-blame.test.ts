import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCrashes, classifyCrashes, type LeaseEnd, maxCrashes, pauseBeforeRun } from './crash-blame.ts';

const ends = fc.constantFrom<LeaseEnd>('released', 'leaving', 'died', 'failed');

/** A task that makes no progress: its verdict, and the time it was kept from running. */
function follow(leaseEnds: readonly LeaseEnd[]) {
  let [crashes, pausedMs] = [0, 0];
  for (const end of leaseEnds) {
    crashes = countCrashes(crashes, end);
    if (end === 'died') pausedMs += pauseBeforeRun(crashes);
  }
  return { verdict: classifyCrashes(crashes), pausedMs };
}

describe('the blame for dead workers', () => {
  it('ends no task whose workers released it or were told to stop, however often', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom<LeaseEnd>('released', 'leaving')), (list) => follow(list).verdict === 'free'));
  });

  it('ends a task for the deaths of workers only after five minutes of pauses between them', () => {
    fc.assert(
      fc.property(fc.array(ends.filter((end) => end !== 'failed')), (list) => {
        const { verdict, pausedMs } = follow(list);
        return verdict !== 'ended' || pausedMs > 300_000;
      }),
    );
  });

  it('ends every task that keeps ending its worker, whatever other ends come between', () => {
    fc.assert(
      fc.property(fc.array(ends), (list) => {
        const bad = list.filter((end) => end === 'died' || end === 'failed').length;
        return bad < maxCrashes || follow(list).verdict === 'ended';
      }),
    );
  });

  it('ends a task after three errors of its own', () => {
    expect(follow(['failed', 'failed']).verdict).not.toBe('ended');
    expect(follow(['failed', 'failed', 'failed']).verdict).toBe('ended');
  });

  it('never runs a task with more company after one more death', () => {
    const strictness = ['free', 'quarantined', 'probation', 'ended'];
    fc.assert(
      fc.property(fc.nat({ max: 20 }), ends, (crashes, end) => {
        return strictness.indexOf(classifyCrashes(countCrashes(crashes, end))) >= strictness.indexOf(classifyCrashes(crashes));
      }),
    );
  });
});
