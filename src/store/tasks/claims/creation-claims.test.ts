import { expect, it } from 'vitest';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { append, claim, newAccountId, nextMs, sampleTask, stopped } from '../../../../test/support/db/store-samples.ts';
import { createAccount } from '../../accounts/accounts.ts';
import { createTask, getTask } from '../tasks.ts';
import { claimOf } from './task-claims.ts';

const facts = { weight: 7, hasBrands: false, hasMemories: false, hasTeams: false };
const slot = { workerId: 'w1', ttlMs: 60_000, isTraced: false };

describeStores('a task that is created for a slot', (store) => {
  const openAccount = async (maxRunning: number | null = null) => {
    const accountId = newAccountId();
    await store.database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: nextMs() });
    const set = 'UPDATE accounts SET weight = 7, max_running_tasks = ? WHERE account_id = ?';
    await store.query(set, maxRunning, accountId);
    return accountId;
  };

  it('has its lease from the beginning, and nobody else can claim it', async () => {
    const sample = sampleTask(await openAccount());
    const { claimedFor } = await store.database.run(createTask, { ...sample, slot });
    expect(claimedFor).toEqual(facts);
    expect(await claim(store.database)).toEqual([]);
    const lease = claimOf(sample, facts);
    await append(lease, [stopped], store.database);
    expect((await store.database.run(getTask, sample)).status).toBe('stopped');
  });

  it('is the same to its worker as a task that was claimed', async () => {
    const accountId = await openAccount();
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    const message = { type: 'user_message' as const, text: 'Ärger\nmit "Zeichen"', kind: 'text' as const, traceparent };
    const queued = sampleTask(accountId, { message, taskConfig: { projectId: 'p1' }, isInteractive: false, locale: 'de' });
    await store.database.run(createTask, queued);
    const [claimed] = await claim(store.database);
    expect(claimOf(queued, facts)).toEqual(claimed);
  });

  it('says with its lease what has to be read for it: brands, memories, what teams have, and a copy of its workspace', async () => {
    const accountId = await openAccount();
    const claimNew = async (isSaved: boolean) => {
      const sample = sampleTask(accountId);
      await store.database.run(createTask, sample);
      const save = 'INSERT INTO workspace_saves (account_id, task_id, generation, blob_id, saved_at) VALUES (?, ?, 1, ?, 1)';
      if (isSaved) await store.query(save, accountId, sample.taskId, 'b1');
      return claim(store.database);
    };
    expect(await claimNew(false)).toMatchObject([{ hasBrands: false, hasMemories: false, hasWorkspaceSave: false }]);
    const brand = 'INSERT INTO brands (account_id, scope, scope_id, brand, updated_at) VALUES (?, ?, ?, ?, 1)';
    await store.query(brand, accountId, 'project', 'p1', '{}');
    expect(await claimNew(true)).toMatchObject([{ hasBrands: true, hasMemories: false, hasWorkspaceSave: true }]);
    const memory = `INSERT INTO memory_stores (account_id, scope, scope_id, files, bytes, history_bytes, revision, restorable_from)
      VALUES (?, 'account', '', 1, 1, 1, 1, 0)`;
    await store.query(memory, accountId);
    expect(await claimNew(false)).toMatchObject([{ hasBrands: true, hasMemories: true, hasWorkspaceSave: false }]);
    expect(await claimNew(false)).toMatchObject([{ hasTeams: false }]);
    // Also of an account that has left the team, because the task still belongs to it.
    const ofTeam = sampleTask(accountId, { teamId: 't1' });
    expect((await store.database.run(createTask, { ...ofTeam, slot })).claimedFor).toMatchObject({ hasTeams: true });
    await store.database.run(createTask, sampleTask(accountId, { teamId: 't1' }));
    expect(await claim(store.database)).toMatchObject([{ hasTeams: true }]);
    const membership = 'INSERT INTO other_memberships (account_id, team_id, role, joined_at) VALUES (?, ?, ?, 1)';
    await store.query(membership, accountId, 't1', 'member');
    expect(await claimNew(false)).toMatchObject([{ hasTeams: true }]);
    const { claimedFor } = await store.database.run(createTask, { ...sampleTask(accountId), slot });
    expect(claimedFor).toEqual({ weight: 7, hasBrands: true, hasMemories: true, hasTeams: true });
  });

  it('waits in the queue if its account has a limit of running tasks', async () => {
    const [ofOperator, ofOwner] = [await openAccount(1), await openAccount()];
    const limit = 'INSERT INTO running_limits (account_id, scope, scope_id, tasks) VALUES (?, ?, ?, ?)';
    await store.query(limit, ofOwner, 'key', 'k', 3);
    for (const accountId of [ofOperator, ofOwner]) {
      const sample = sampleTask(accountId);
      expect(await store.database.run(createTask, { ...sample, slot })).toMatchObject({ claimedFor: null });
      expect(await claim(store.database)).toMatchObject([{ taskId: sample.taskId, fence: 1, crashes: 0, isLimited: true }]);
    }
  });

  it('comes to another worker when its own has died, and that counts against it', async () => {
    const sample = sampleTask(await openAccount());
    await store.database.run(createTask, { ...sample, slot: { ...slot, ttlMs: -1 } });
    expect(await claim(store.database, { workerId: 'w2' })).toMatchObject([
      { taskId: sample.taskId, fence: 2, crashes: 1, lastEnd: 'crash' },
    ]);
    expect(await append(claimOf(sample, facts), [stopped], store.database)).toMatchObject({ outcome: 'lost' });
  });
});
