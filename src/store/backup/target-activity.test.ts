import { expect, it } from 'vitest';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { BackupProblem } from './backup-problem.ts';
import { BackupRepository } from './backup-repository.ts';
import { FolderTarget } from './folder-target.ts';
import { TargetActivity } from './target-activity.ts';

const minute = 60_000;

async function begin(clock: TestClock) {
  const repository = await BackupRepository.openOrMake(new FolderTarget(createFolder('activity')), null);
  const ended = new AbortController();
  const activity = await TargetActivity.begin(repository, 'one', 'backup', clock);
  return { activity, renewing: activity.renewUntil(ended.signal), ended };
}

/** Lets time pass, and waits until the mark that falls due is written. */
async function pass(clock: TestClock, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await clock.advance(minute);
    await expect.poll(() => clock.timerCount).toBe(1);
  }
}

it('an activity that renews its mark stays unbroken for an hour', async () => {
  const clock = new TestClock();
  const { activity, renewing, ended } = await begin(clock);
  await pass(clock, 60);
  expect(() => activity.checkUnbroken()).not.toThrow();
  ended.abort();
  await clock.advance(minute);
  await renewing;
});

it.each(['before its next renewal', 'also when it has renewed its mark since'])(
  'an activity that slept for a quarter of an hour may not finish, %s',
  async (when) => {
    const clock = new TestClock();
    const { activity, renewing, ended } = await begin(clock);
    clock.jump(15 * minute);
    if (when.startsWith('also')) await pass(clock, 2);
    expect(() => activity.checkUnbroken()).toThrow(BackupProblem);
    ended.abort();
    await clock.advance(minute);
    await renewing;
  },
);
