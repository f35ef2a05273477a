import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  modelFinished,
  newAccountId,
  sampleTask,
  stopped,
  usage,
} from '../../../test/support/db/store-samples.ts';
import type { TaskEvent } from '../../rules/events/task-event.ts';
import { createTask } from '../tasks/tasks.ts';
import { type ListUserUsageArgs, listUserUsage } from './external-user-usage.ts';

const answer: TaskEvent = { ...modelFinished(), usage, cost: 1_200_000 } as TaskEvent;

describeStores('the usage of people of a product', (store) => {
  const list = (accountId: string, changes: Partial<ListUserUsageArgs> = {}) =>
    store.database.run(listUserUsage, {
      ...{ accountId, createdAfterMs: null, createdBeforeMs: null, after: null, limit: 10 },
      ...changes,
    });

  it('adds up the tasks created for each, in pages, and tells nothing of those of other accounts', async () => {
    const [accountId, other] = [newAccountId(), newAccountId()];
    const made = [
      ...['ann', 'bob', 'ann', null].map((externalUserId) => sampleTask(accountId, { externalUserId })),
      sampleTask(other, { externalUserId: 'ann' }),
    ];
    for (const task of made) await store.database.run(createTask, task);
    for (const task of await claim(store.database)) await append(task, [answer, stopped], store.database);
    const [first, second, third] = made.map(({ now }) => now);
    const [ann, bob] = await list(accountId);
    expect(ann).toMatchObject({ externalUserId: 'ann', tasks: 2, lastCreatedAtMs: third });
    expect(bob).toMatchObject({ externalUserId: 'bob', tasks: 1, lastCreatedAtMs: second });
    expect(ann?.credits).toBe(2 * (bob?.credits ?? 0));
    expect(bob?.credits).toBeGreaterThan(0);
    expect(await list(accountId, { limit: 1 })).toEqual([ann]);
    expect(await list(accountId, { after: 'ann' })).toEqual([bob]);
    expect(await list(accountId, { createdAfterMs: first ?? 0 })).toMatchObject([{ tasks: 1 }, { tasks: 1 }]);
    expect(await list(accountId, { createdBeforeMs: first ?? 0 })).toEqual([]);
    expect(await list(other)).toMatchObject([{ externalUserId: 'ann', tasks: 1 }]);
  });
});
