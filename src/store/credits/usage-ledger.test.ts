import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  createClaimed,
  modelFinished,
  newAccountId,
  nextMs,
  sampleTask,
  stopped,
  usage,
} from '../../../test/support/db/store-samples.ts';
import { noCreditPlans, usualCreditPlans } from '../../rules/credits/credit-balance.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { createAccount } from '../accounts/accounts.ts';
import { changeCredits, findUnsettled, readBalance, settleCredits } from './credit-balances.ts';
import type { Database } from '../db/database.ts';
import { createSubtask } from '../tasks/subtasks.ts';
import { createTask, deleteTask, getTask, messageTask, stopTask } from '../tasks/tasks.ts';
import { listUsage } from './usage-ledger.ts';

const started: TaskEvent = {
  type: 'model_started',
  step: 1,
  attempt: 1,
  model: 'test/one',
  estimatedInput: 1,
  estimatedCost: 2_500_000,
};
const answer: TaskEvent = { ...modelFinished(), usage, cost: 1_200_000 } as TaskEvent;
const failure: TaskEvent[] = [{ type: 'error', errorType: 'x', text: 'x' }, { type: 'failed' }];
const question: TaskEvent = { type: 'waiting', callId: 'c', question: '?' };
const message = { type: 'user_message', text: 'Go on.', kind: 'text' } as const;

describeStores('the ledger of credits', (store) => {
  const list = async (accountId: string) => {
    const records = await store.database.run(listUsage, { accountId, beforeId: null, limit: 1000 });
    return records.toReversed().map(({ type, credits }) => `${type} ${credits}`);
  };
  const creditsOf = async (task: { accountId: string; taskId: string }) => (await store.database.run(getTask, task)).credits;

  it('has one record for each session, with the cost of its calls', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started], store.database);
    expect(await list(task.accountId)).toEqual([]);
    await append(task, [answer, stopped], store.database);
    expect(await list(task.accountId)).toEqual(['cost -2']);
    expect(await creditsOf(task)).toBe(2);
  });

  it('charges a call without an end as estimated', async () => {
    const task = await createClaimed(store.database);
    for (const events of [[started], [started], [answer], [started], [question]]) await append(task, events, store.database);
    expect(await list(task.accountId)).toEqual(['cost -7']);
    expect(await creditsOf(task)).toBe(7);
  });

  it('starts a session with the message that wakes the task, and charges at least one credit', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started, answer, stopped], store.database);
    await store.database.run(messageTask, { ...task, now: nextMs(), message, profile: null });
    await append(task, [stopped], store.database);
    expect(await list(task.accountId)).toEqual(['cost -2', 'cost -1']);
    expect(await creditsOf(task)).toBe(3);
  });

  it('has no record of a session that only used a key of the account, however it ends', async () => {
    const begin: TaskEvent = { ...started, model: 'own:test/one', estimatedCost: 0 };
    const end: TaskEvent = { ...answer, cost: 0 } as TaskEvent;
    for (const last of [[stopped], failure, [question]]) {
      const task = await createClaimed(store.database);
      await append(task, [begin], store.database);
      await append(task, [end, ...last], store.database);
      expect([await list(task.accountId), await creditsOf(task)]).toEqual([[], 0]);
    }
    const halted = await createClaimed(store.database);
    await append(halted, [begin], store.database);
    await store.database.run(stopTask, { ...halted, now: nextMs() });
    expect([await list(halted.accountId), await creditsOf(halted)]).toEqual([[], 0]);
  });

  it('charges a session that used the models of the service, too, for those', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started, answer], store.database);
    await append(task, [{ ...started, model: 'own:test/one', estimatedCost: 0 }], store.database);
    await append(task, [{ ...answer, cost: 0 } as TaskEvent, stopped], store.database);
    expect([await list(task.accountId), await creditsOf(task)]).toEqual([['cost -2'], 2]);
  });

  it('refunds a session that ended with an error', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started, answer, ...failure], store.database);
    expect((await list(task.accountId)).toSorted()).toEqual(['cost -2', 'refund 2']);
    expect(await creditsOf(task)).toBe(0);
  });

  it('charges calls interrupted by a stop once, and nothing for a task that asks', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started], store.database);
    for (let count = 0; count < 2; count += 1) await store.database.run(stopTask, { ...task, now: nextMs() });
    expect(await append(task, [answer, stopped], store.database)).toEqual({ outcome: 'lost' });
    expect(await list(task.accountId)).toEqual(['cost -3']);
    expect(await creditsOf(task)).toBe(3);
    const asking = await createClaimed(store.database);
    await append(asking, [question], store.database);
    await store.database.run(stopTask, { ...asking, now: nextMs() });
    expect(await list(asking.accountId)).toEqual(['cost -1']);
  });

  it('keeps the cost of a deleted task, and charges the session that its deletion ends', async () => {
    const task = await createClaimed(store.database);
    await append(task, [started], store.database);
    await store.database.run(deleteTask, task);
    const [record] = await store.database.run(listUsage, { accountId: task.accountId, beforeId: null, limit: 9 });
    expect(record).toMatchObject({ credits: -3, taskId: task.taskId, title: null });
  });

  it('is charged by the lease that ends a session, and by no other', async () => {
    const task = await createClaimed(store.database);
    const late = { ...task, fence: task.fence - 1 };
    expect(await append(late, [started, answer, stopped], store.database)).toEqual({ outcome: 'lost' });
    expect(await append(task, [answer, stopped], store.database, 999)).toEqual({ outcome: 'behind' });
    expect(await list(task.accountId)).toEqual([]);
  });

  it('adds up to the balance, also for concurrent reads, and grants each period once', async () => {
    const accountId = newAccountId();
    const now = Date.UTC(2026, 5, 10, 12);
    await store.database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: now - 1000 });
    const settle = (at: number) => ({ accountId, plans: usualCreditPlans, now: at });
    expect(await store.database.run(readBalance, settle(now))).toBeNull();
    await Promise.all(store.others.map((database) => database.run(settleCredits, settle(now))));
    expect(await list(accountId)).toEqual(expect.arrayContaining(['grant 4000', 'grant 300']));
    const give = (credits: number) =>
      store.database.run(changeCredits, { accountId, recordId: newAccountId(), credits, kind: 'addon', title: 'x', now });
    await Promise.all([
      ...[-350, 50, -1, -7].map(give),
      ...store.others.map((database) => database.run(settleCredits, settle(now))),
    ]);
    const balance = await store.database.run(settleCredits, settle(now));
    expect(balance).toMatchObject({ total: 3992, credits: { refresh: 0 }, hasMore: false });
    expect(await store.database.run(readBalance, settle(now))).toEqual(balance);
    expect(await store.database.run(findUnsettled, { afterAccount: '', limit: 9 })).toEqual([]);
    await give(-5);
    expect(await store.database.run(findUnsettled, { afterAccount: '', limit: 9 })).toEqual([accountId]);
    const nextDay = now + 86_400_000;
    expect(await store.database.run(settleCredits, settle(nextDay))).toMatchObject({
      total: 3992 - 5 + 300,
      credits: { refresh: 300 },
    });
    const [{ sum } = { sum: 0 }] = await store.query(
      'SELECT SUM(credits) AS sum FROM usage_records WHERE account_id = ?',
      accountId,
    );
    expect(Number(sum)).toBe(4287);
  });

  it('rejects work without credits where they are enforced, before anything is stored', async () => {
    const accountId = newAccountId();
    const sample = sampleTask(accountId, { creditDemand: { refreshInMs: 1500 } });
    await expect(store.database.run(createTask, sample)).rejects.toMatchObject({ code: 'resource_exhausted', retryAfterS: 2 });
    expect(await store.query('SELECT id FROM tasks')).toEqual([]);
    const poor = await createClaimed(store.database);
    await append(poor, [stopped], store.database);
    const follow = { ...poor, now: nextMs(), message, profile: null, creditDemand: { refreshInMs: null } };
    await expect(store.database.run(messageTask, follow)).rejects.toMatchObject({ code: 'resource_exhausted' });
  });

  it('allows as many subtasks as there are credits besides the running sessions, also concurrently', async () => {
    const { accountId, taskId: parentId } = await createClaimed(store.database);
    await store.database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: nextMs() });
    await store.database.run(settleCredits, { accountId, plans: noCreditPlans, now: nextMs() });
    await store.database.run(changeCredits, {
      accountId,
      recordId: newAccountId(),
      credits: 4,
      kind: 'addon',
      title: 'x',
      now: nextMs(),
    });
    const bounds = { maxSubtasks: 50, maxDepth: 2, copyId: null, creditDemand: { refreshInMs: null } };
    const make = (database: Database, taskId: string) =>
      database.run(createSubtask, { accountId, parentId, taskId, now: nextMs(), title: 'x', message, taskConfig: {}, ...bounds });
    const made = await Promise.allSettled(
      [store.database, ...store.others, ...store.others, ...store.others].map((each) => make(each, newAccountId())),
    );
    const count = (status: string) => made.filter((each) => each.status === status).length;
    // The parent owes one of the four.
    expect(count('fulfilled')).toBe(Math.min(3, made.length));
    await expect(make(store.database, newAccountId())).rejects.toMatchObject({ code: 'resource_exhausted' });
  });
});
