import { expect, it } from 'vitest';
import { mostSlotsOfOne } from '../../src/rules/instance/fair-share.ts';
import { type ClaimArgs, claimTasks, findStarvedAccount } from '../../src/store/tasks/claims/task-claims.ts';
import { releaseLeases } from '../../src/store/tasks/lease-ends.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { describeStores } from '../support/db/databases.ts';
import { newAccountId, sampleTask } from '../support/db/store-samples.ts';

/** Tasks that one account has waiting; the figures of docs/operate/performance.md are those of the default. */
const waiting = Number(process.env['ERRAND_TEST_QUEUE'] ?? 10_000);
const slots = 200;

describeStores(`an account with ${waiting} waiting tasks`, (store) => {
  const fill = async (accountId: string, changes: Parameters<typeof sampleTask>[1] = {}) => {
    for (let left = waiting; left > 0; left -= 500) {
      const samples = Array.from({ length: Math.min(left, 500) }, () => sampleTask(accountId, changes));
      await Promise.all(samples.map((sample) => store.database.run(createTask, sample)));
    }
  };
  const claimAt = (free: number, held: ClaimArgs['held']) =>
    store.database.run(claimTasks, {
      ...{ workerId: 'w1', ttlMs: 600_000, slots: free, held, mostEach: mostSlotsOfOne(slots) },
      ...{ afterAccount: '', canTakeQuarantined: true, isIdle: false },
    });
  const time = async <Result>(name: string, act: () => Promise<Result>): Promise<Result> => {
    const begun = performance.now();
    const result = await act();
    console.log(`queue of ${waiting}, ${store.engine}: ${name} ${(performance.now() - begun).toFixed(1)} ms`);
    return result;
  };

  it('delays the first step of another account by at most one step', async () => {
    const [crowd, other] = [newAccountId(), newAccountId()];
    await fill(crowd);
    const { tasks: first } = await time('claim', () => claimAt(64, []));
    expect(first).toHaveLength(64);
    // Without a limit on what one account may have, every slot is taken.
    const { tasks: rest } = await store.database.run(claimTasks, {
      ...{ workerId: 'w1', ttlMs: 600_000, slots: slots - 64, held: [[crowd, 64]], afterAccount: '' },
      ...{ canTakeQuarantined: true, isIdle: false },
    });
    const held = [...first, ...rest];
    expect(held).toHaveLength(slots);
    const theirs = sampleTask(other);
    await store.database.run(createTask, theirs);
    const isStarved = await time('look for a starved account', () =>
      store.database.run(findStarvedAccount, { heldAccounts: [crowd] }),
    );
    expect(isStarved).toBe(true);
    // The first step to end gives its slot up, and the next task is theirs, not one of the thousands that have waited longer.
    await store.database.run(releaseLeases, { workerId: 'w1', leases: held.slice(0, 1) });
    const { tasks } = await time('claim beside it', () => claimAt(1, [[crowd, slots - 1]]));
    expect(tasks.map(({ taskId }) => taskId)).toEqual([theirs.taskId]);
  });

  it('whose project is at its limit does not keep the others of the account waiting', async () => {
    const accountId = newAccountId();
    await store.query(
      "INSERT INTO accounts (account_id, email, plan, locale, created_at) VALUES (?, 'a', 'pro', 'en', 1)",
      accountId,
    );
    await store.query("INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES (?, 'project', 'p', 1)", accountId);
    await fill(accountId, { projectId: 'p' });
    expect((await claimAt(64, [])).tasks).toHaveLength(1);
    const free = sampleTask(accountId);
    await store.database.run(createTask, free);
    const { tasks } = await time('claim past a full project', () => claimAt(64, [[accountId, 1]]));
    expect(tasks.map(({ taskId }) => taskId)).toEqual([free.taskId]);
  });
});
