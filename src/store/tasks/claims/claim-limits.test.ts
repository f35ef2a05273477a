import { expect, it } from 'vitest';
import { describeStores } from '../../../../test/support/db/databases.ts';
import {
  append,
  claim,
  createTasks,
  newAccountId,
  nextMs,
  sampleTask,
  stopped,
} from '../../../../test/support/db/store-samples.ts';
import type { LimitScope } from '../../../rules/limits/running-limit.ts';
import { createAccount } from '../../accounts/accounts.ts';
import { createTask } from '../tasks.ts';
import { type ClaimArgs, type ClaimedTask, findStarvedAccount } from './task-claims.ts';

describeStores('a limit of running tasks', (store) => {
  const openAccount = async (weight = 1, maxRunning: number | null = null) => {
    const accountId = newAccountId();
    await store.database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: nextMs() });
    await store.query(
      'UPDATE accounts SET weight = ?, max_running_tasks = ? WHERE account_id = ?',
      weight,
      maxRunning,
      accountId,
    );
    return accountId;
  };
  const limit = (accountId: string, scope: LimitScope, tasks: number, id = accountId) =>
    store.query(
      'INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES (?, ?, ?, ?)',
      accountId,
      scope,
      id,
      tasks,
    );
  const create = async (accountId: string, count: number, changes: Parameters<typeof sampleTask>[1] = {}) => {
    const samples = Array.from({ length: count }, () => sampleTask(accountId, changes));
    for (const sample of samples) await store.database.run(createTask, sample);
    return samples.map(({ taskId }) => taskId);
  };
  const finish = (task: ClaimedTask | undefined) => {
    if (!task) throw new Error('nothing was claimed');
    return append(task, [stopped], store.database);
  };
  const idsOf = (tasks: readonly ClaimedTask[]) => tasks.map(({ taskId }) => taskId);

  it('keeps the tasks of an account beyond it waiting until one of those that run has ended', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'account', 2);
    const ids = await createTasks(store.database, accountId, 4);
    const [first, ...more] = await claim(store.database);
    expect(idsOf(more)).toHaveLength(1);
    expect(first?.isLimited).toBe(true);
    expect(await claim(store.database, { held: [[accountId, 2]] })).toEqual([]);
    await finish(first);
    const next = await claim(store.database, { held: [[accountId, 1]] });
    expect(idsOf(next)).toHaveLength(1);
    expect(ids).toContain(next[0]?.taskId);
  });

  it('of a key or a project lets the other tasks of the account pass', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'key', 1, 'k');
    await limit(accountId, 'project', 2, 'p');
    const ofKey = await create(accountId, 3, { apiKeyId: 'k' });
    const ofBoth = await create(accountId, 2, { apiKeyId: 'k', projectId: 'p' });
    const ofProject = await create(accountId, 4, { projectId: 'p' });
    const others = await create(accountId, 3, { apiKeyId: 'other' });
    const claimed = idsOf(await claim(store.database));
    const countOf = (ids: readonly string[]) => claimed.filter((id) => ids.includes(id)).length;
    expect([countOf([...ofKey, ...ofBoth]), countOf([...ofProject, ...ofBoth]), countOf(others)]).toEqual([1, 2, 3]);
    expect(claimed).toHaveLength(6);
    expect(await claim(store.database)).toEqual([]);
  });

  it('of the operator holds for the account, and that of the instance for every account without one', async () => {
    const [limited, usual] = [await openAccount(1, 1), await openAccount()];
    await createTasks(store.database, limited, 5);
    await createTasks(store.database, usual, 5);
    const claimed = await claim(store.database, { usualMost: 3 });
    const counts = Map.groupBy(claimed, ({ accountId }) => accountId);
    expect([counts.get(limited)?.length, counts.get(usual)?.length]).toEqual([1, 3]);
    await limit(usual, 'project', 9, 'p');
    expect(await claim(store.database, { usualMost: 3 })).toEqual([]);
  });

  it('is never exceeded by processes that claim at the same time', async () => {
    const accountId = await openAccount(1, 7);
    await limit(accountId, 'key', 3, 'k');
    await create(accountId, 30, { apiKeyId: 'k' });
    await create(accountId, 30);
    const databases = [store.database, ...store.others];
    const claimOnce = (index: number, changes: Partial<ClaimArgs> = {}) =>
      claim(databases[index % databases.length] ?? store.database, { workerId: `w${index}`, slots: 4, ...changes });
    for (let round = 0; round < 5; round += 1) {
      const claimed = (await Promise.all(Array.from({ length: 8 }, (_, index) => claimOnce(index)))).flat();
      const running = await store.query(
        'SELECT api_key_id FROM tasks WHERE account_id = ? AND lease_owner IS NOT NULL AND wake_at > 1',
        accountId,
      );
      expect(running).toHaveLength(7);
      expect(running.filter((row) => row['api_key_id'] === 'k').length).toBeLessThanOrEqual(3);
      await Promise.all(claimed.map(finish));
    }
  });

  it('leaves its slots to other accounts, which are not kept waiting by tasks that cannot run', async () => {
    const [limited, other] = [await openAccount(), await openAccount()];
    await limit(limited, 'account', 1);
    await createTasks(store.database, limited, 20);
    await createTasks(store.database, other, 20);
    const claimed = await claim(store.database, { slots: 10 });
    expect(claimed.filter(({ accountId }) => accountId === other)).toHaveLength(9);
    expect(await store.database.run(findStarvedAccount, { heldAccounts: [other] })).toBe(false);
  });

  it('of each person of a product, or of one of them alone, lets the tasks of the others pass', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'external_user', 2, '');
    await limit(accountId, 'external_user', 1, 'bob');
    await limit(accountId, 'external_user', 5, 'eve');
    const ofPerson = async (externalUserId: string | null) => new Set(await create(accountId, 9, { externalUserId }));
    const people = [await ofPerson('ann'), await ofPerson('bob'), await ofPerson('eve'), await ofPerson(null)];
    const claimed = await claim(store.database);
    expect(people.map((ids) => claimed.filter(({ taskId }) => ids.has(taskId)).length)).toEqual([2, 1, 5, 9]);
    expect(await claim(store.database)).toEqual([]);
    await finish(claimed.find(({ externalUserId }) => externalUserId === 'bob'));
    expect(await claim(store.database)).toMatchObject([{ externalUserId: 'bob' }]);
  });

  it('of one person is never exceeded by processes that claim at the same time', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'external_user', 3, 'ann');
    await create(accountId, 20, { externalUserId: 'ann' });
    const databases = [store.database, ...store.others];
    for (let round = 0; round < 4; round += 1) {
      const claims = Array.from({ length: 8 }, (_, index) =>
        claim(databases[index % databases.length] ?? store.database, { workerId: `w${index}`, slots: 2 }),
      );
      const claimed = (await Promise.all(claims)).flat();
      expect(claimed).toHaveLength(3);
      await Promise.all(claimed.map(finish));
    }
  });

  it('counts a quarantined task too', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'account', 1);
    const [crashed = ''] = await createTasks(store.database, accountId, 2);
    await store.query("UPDATE tasks SET crashes = 1, lease_owner = 'gone', wake_at = 0 WHERE id = ?", crashed);
    expect(idsOf(await claim(store.database))).toEqual([crashed]);
    expect(await claim(store.database)).toEqual([]);
  });

  it('does not count a task whose worker has died', async () => {
    const accountId = await openAccount();
    await limit(accountId, 'account', 1);
    const [task = ''] = await createTasks(store.database, accountId, 1);
    expect(idsOf(await claim(store.database, { ttlMs: -1 }))).toEqual([task]);
    expect(idsOf(await claim(store.database))).toEqual([task]);
  });

  it('leaves the slots of a worker in the ratio of the weights', async () => {
    const [light, heavy] = [await openAccount(1), await openAccount(3)];
    await createTasks(store.database, light, 30);
    await createTasks(store.database, heavy, 30);
    const counts = Map.groupBy(await claim(store.database, { slots: 20 }), ({ accountId }) => accountId);
    expect([counts.get(light)?.length, counts.get(heavy)?.length]).toEqual([5, 15]);
  });
});
