import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { findExistingTasks, findMissingTasks } from './missing-tasks.ts';
import { deleteTask } from './tasks.ts';

describeStores('missing tasks', (store) => {
  it('are those of the account that were deleted or never existed', async () => {
    const accountId = newAccountId();
    const ids = await createTasks(store.database, accountId, 5);
    const [gone = '', kept = ''] = ids;
    await store.database.run(deleteTask, { accountId, taskId: gone });
    const asked = [
      ...ids.map((taskId) => ({ accountId, taskId })),
      { accountId, taskId: 'never' },
      { accountId: 'a2', taskId: kept },
    ];
    const missing = await store.database.run(findMissingTasks, asked);
    expect(missing).toEqual([
      { accountId, taskId: gone },
      { accountId, taskId: 'never' },
      { accountId: 'a2', taskId: kept },
    ]);
    expect(await store.database.run(findMissingTasks, [])).toEqual([]);
    expect(await store.database.run(findExistingTasks, asked)).toEqual(asked.slice(1, 5));
    expect(await store.database.run(findExistingTasks, [])).toEqual([]);
  });

  it('are none while a backup runs, so that their workspaces stay', async () => {
    const asked = [{ accountId: newAccountId(), taskId: 'gone' }];
    await store.query("INSERT INTO instance (name, value) VALUES ('backup:b1', ?)", String(Date.now() + 600_000));
    expect(await store.database.run(findMissingTasks, asked)).toEqual([]);
    await store.query("DELETE FROM instance WHERE name = 'backup:b1'");
    expect(await store.database.run(findMissingTasks, asked)).toEqual(asked);
  });
});
