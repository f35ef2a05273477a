import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { newId } from '@errand/base/ids.ts';
import type { Database } from '../db/database.ts';
import { type ListTasksArgs, listTasks } from './task-list.ts';
import { createTask, deleteTask } from './tasks.ts';

type Origin = Pick<ListTasksArgs, 'apiKeyId' | 'oauthClientId'>;

async function readAll(
  database: Database,
  query: Omit<ListTasksArgs, 'afterId'>,
  between: () => Promise<void>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let afterId: string | null = null; ; ) {
    const page: { id: string }[] = await database.run(listTasks, { ...query, afterId });
    ids.push(...page.map(({ id }) => id));
    if (page.length < query.limit) return ids;
    afterId = page.at(-1)?.id ?? null;
    await between();
  }
}

describeStores('a list of tasks', (store) => {
  const create = (accountId: string, origin: Partial<Origin> = {}) => {
    const sample = sampleTask(accountId, origin);
    return store.database.run(createTask, sample).then(() => sample.taskId);
  };

  it('has every task of the account once, in order of creation, with pages of any size and for any filter', async () => {
    const [a1, a2] = [newId(nextMs()), newId(nextMs())];
    const tasks: (Origin & { id: string })[] = [];
    const origins: Origin[] = [
      { apiKeyId: null, oauthClientId: null },
      { apiKeyId: 'k1', oauthClientId: null },
      { apiKeyId: 'k2', oauthClientId: null },
      { apiKeyId: null, oauthClientId: 'c1' },
    ];
    for (let count = 0; count < 40; count += 1) {
      const origin = origins[count % 4] ?? { apiKeyId: null, oauthClientId: null };
      tasks.push({ id: await create(a1, origin), ...origin });
      if (count % 3 === 0) await create(a2, origin);
    }
    const queries = fc.record({
      order: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.integer({ min: 1, max: 45 }),
      origin: fc.constantFrom(...origins, { apiKeyId: 'unknown', oauthClientId: null }, { apiKeyId: null, oauthClientId: 'k1' }),
      taskType: fc.constantFrom(null, 'standard', 'agent_subtask'),
    });
    await fc.assert(
      fc.asyncProperty(queries, async ({ origin, ...query }) => {
        const asked = [origin.apiKeyId, origin.oauthClientId];
        const matching = tasks.filter(
          ({ apiKeyId, oauthClientId }) =>
            query.taskType !== 'agent_subtask' &&
            [apiKeyId, oauthClientId].every((id, index) => asked[index] === null || asked[index] === id),
        );
        const expected = matching.map(({ id }) => id);
        const read = await readAll(store.database, { accountId: a1, ...query, ...origin }, () => Promise.resolve());
        expect(read).toEqual(query.order === 'asc' ? expected : expected.toReversed());
      }),
      { numRuns: 40 },
    );
  });

  it('neither repeats nor skips an existing task while others come and go', async () => {
    const accountId = newId(nextMs());
    const stable: string[] = [];
    const doomed: string[] = [];
    for (let count = 0; count < 12; count += 1) (count % 3 === 0 ? doomed : stable).push(await create(accountId));
    const change = async () => {
      await create(accountId);
      const taskId = doomed.pop();
      if (taskId) await store.database.run(deleteTask, { accountId, taskId });
    };
    const query = { accountId, order: 'desc', limit: 2, taskType: null, apiKeyId: null, oauthClientId: null } as const;
    const read = await readAll(store.database, query, change);
    expect(read.filter((id) => stable.includes(id))).toEqual(stable.toReversed());
    expect(new Set(read).size).toBe(read.length);
  });
});
