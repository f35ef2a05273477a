import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { createTasks, newAccountId } from '../../../test/support/db/store-samples.ts';
import { findItemTask } from '../inbox/inbox-decisions.ts';
import { handOverTask } from './people/assignees.ts';
import { findPublicTask } from './shared-tasks.ts';

describeStores('a task of somebody else', (store) => {
  const prepare = async () => {
    const owner = newAccountId();
    const [taskId = ''] = await createTasks(store.database, owner, 1);
    return { owner, taskId, stranger: newAccountId() };
  };

  it('cannot be handed over, given back, or decided about', async () => {
    const { owner, taskId, stranger } = await prepare();
    for (const assignee of [stranger, null]) {
      const args = { accountId: stranger, taskId, assignee, now: 1 };
      await expect(store.database.run(handOverTask, args)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(store.database.run(findItemTask, { accountId: stranger, taskId, seq: 1 })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.database.run(findItemTask, { accountId: owner, taskId, seq: 1 })).toEqual({ accountId: owner, taskId });
  });

  it('is found by its share alone, while that is public', async () => {
    const { owner, taskId } = await prepare();
    const shareId = newId(1);
    const share = (visibility: string) =>
      store.query('UPDATE tasks SET share_id = ?, share_visibility = ? WHERE id = ? RETURNING id', shareId, visibility, taskId);
    for (const [visibility, found] of [
      ['team', null],
      ['public', { accountId: owner, cover: null }],
    ] as const) {
      await share(visibility);
      const task = await store.database.run(findPublicTask, { shareId });
      expect(task && { accountId: task.accountId, cover: task.cover }).toEqual(found);
    }
    expect(await store.database.run(findPublicTask, { shareId: taskId })).toBeNull();
  });
});
