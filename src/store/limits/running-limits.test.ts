import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { readRunningLimits, setRunningLimit } from './running-limits.ts';

describeStores('the limits of running tasks', (store) => {
  it('are read as they were set, until they are removed', async () => {
    const accountId = await addAccount(store.database);
    const set = (tasks: number | null) =>
      store.database.run(setRunningLimit, {
        ...{ accountId, scope: 'account', scopeId: accountId, tasks },
        ...{ actor: 'test', now: Date.now() },
      });
    const read = async () => {
      const { limits, most, running } = await store.database.run(readRunningLimits, {
        accountId,
        usualMost: 7,
        after: null,
        limit: 9,
      });
      return { tasks: limits.map(({ tasks }) => tasks), most, running };
    };
    await set(3);
    expect(await read()).toEqual({ tasks: [3], most: 7, running: 0 });
    await set(null);
    expect(await read()).toEqual({ tasks: [], most: 7, running: 0 });
  });
});
