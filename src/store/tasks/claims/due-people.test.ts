import { expect, it } from 'vitest';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { claim, newAccountId, sampleTask } from '../../../../test/support/db/store-samples.ts';
import { compareText } from '../../db/store-operation.ts';
import { createTask } from '../tasks.ts';
import type { ClaimArgs } from './task-claims.ts';
import { claimTasks } from './task-claims.ts';
import { peoplePerClaim } from './due-people.ts';

describeStores('people of a product', (store) => {
  const create = async (accountId: string, count: number, changes: Parameters<typeof sampleTask>[1] = {}) => {
    const samples = Array.from({ length: count }, () => sampleTask(accountId, changes));
    await Promise.all(samples.map((sample) => store.database.run(createTask, sample)));
  };
  const peopleOf = async (changes: Partial<ClaimArgs>) =>
    (await claim(store.database, changes)).map(({ externalUserId }) => externalUserId ?? '');

  it('each have a first task running before one of them who queued a thousand earlier has a second', async () => {
    const accountId = newAccountId();
    await create(accountId, 1000, { externalUserId: 'crowd' });
    const people = Array.from({ length: 9 }, (_, index) => `person ${index}`);
    for (const externalUserId of people) await create(accountId, 1, { externalUserId });
    expect((await peopleOf({ slots: 10 })).toSorted(compareText)).toEqual(['crowd', ...people]);
    await create(accountId, 1, { externalUserId: 'late' });
    const held = { held: [[accountId, 10]], heldByPerson: [[accountId, 'crowd', 1]] } as const;
    expect(await peopleOf({ slots: 1, ...held })).toEqual(['late']);
    expect(await peopleOf({ slots: 2, ...held })).toEqual(['crowd', 'crowd']);
  });

  it('share with the tasks that are for nobody, and come after tasks of higher priority', async () => {
    const accountId = newAccountId();
    await create(accountId, 50);
    await create(accountId, 50, { externalUserId: 'ann' });
    await create(accountId, 1, { externalUserId: 'bob', priority: 'low' });
    const claimed = await peopleOf({ slots: 4 });
    expect(claimed.filter((person) => person === 'ann').length).toBeGreaterThan(0);
    expect(claimed).not.toContain('bob');
    expect((await peopleOf({ slots: 4, heldByPerson: [[accountId, '', 40]] })).filter((person) => person === 'ann')).toHaveLength(
      1,
    );
  });

  it('do not starve the tasks that are for nobody', async () => {
    const accountId = newAccountId();
    await create(accountId, 100, { externalUserId: 'crowd' });
    await create(accountId, 2);
    expect((await peopleOf({ slots: 2 })).toSorted(compareText)).toEqual(['', 'crowd']);
    const held = { held: [[accountId, 2]], heldByPerson: [[accountId, 'crowd', 2]] } as const;
    expect(await peopleOf({ slots: 1, ...held })).toEqual(['']);
  });

  it('that are more than one claim looks at have their turn in the next', async () => {
    const accountId = newAccountId();
    await create(accountId, 5, { externalUserId: 'aa' });
    for (let from = 0; from < peoplePerClaim; from += 100) {
      const batch = Array.from({ length: 100 }, (_, index) => `b${String(from + index).padStart(4, '0')}`);
      await Promise.all(batch.map((externalUserId) => create(accountId, 1, { externalUserId })));
    }
    await create(accountId, 1, { externalUserId: 'z' });
    const args = {
      ...{ workerId: 'w1', ttlMs: 60_000, held: [], afterAccount: '', canTakeQuarantined: false, isIdle: false, slots: 1 },
      heldByPerson: Array.from(
        { length: peoplePerClaim },
        (_, index) => [accountId, `b${String(index).padStart(4, '0')}`, 1] as const,
      ),
    };
    const { tasks, afterPeople } = await store.database.run(claimTasks, args);
    const place = [accountId, `b${String(peoplePerClaim - 2).padStart(4, '0')}`] as const;
    expect([tasks[0]?.externalUserId, afterPeople]).toEqual(['aa', [place]]);
    const next = await store.database.run(claimTasks, {
      ...args,
      heldByPerson: [...args.heldByPerson, [accountId, 'aa', 1]],
      afterPeople,
    });
    expect([next.tasks[0]?.externalUserId, next.afterPeople]).toEqual(['z', []]);
    // The place of one account says nothing about the people of another, and is forgotten with its tasks.
    const other = newAccountId();
    await create(other, 9, { externalUserId: 'c' });
    await create(other, 1, { externalUserId: 'a' });
    await store.query('UPDATE tasks SET wake_at = NULL WHERE account_id = ?', accountId);
    const beside = { ...args, held: [[other, 1]] as const, heldByPerson: [[other, 'c', 1]] as const, afterPeople: [place] };
    const last = await store.database.run(claimTasks, beside);
    expect([last.tasks[0]?.externalUserId, last.afterPeople]).toEqual(['a', []]);
  });
});
