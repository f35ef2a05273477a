import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { claim, newAccountId, nextMs, sampleTask } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { createTeam } from '../accounts/teams.ts';
import { findSharedTask, findTaskOfShare } from './shared-tasks.ts';
import { readTaskRelations } from './task-relations.ts';
import { searchTasks, type SearchTasksArgs } from './task-search.ts';
import { updateTask } from './task-update.ts';
import { createTask } from './tasks.ts';

describeStores('a task', (store) => {
  async function search(accountId: string, changes: Partial<SearchTasksArgs> = {}): Promise<string[]> {
    const place = { accountId, afterId: null, order: 'desc', sortBy: 'created_at', limit: 10 } as const;
    const all = { texts: [], statuses: null, createdFromMs: null, createdUntilMs: null, projectId: null };
    return (await store.database.run(searchTasks, { ...place, ...all, ...changes })).map(({ id }) => id);
  }

  async function add(accountId: string, title: string, text: string) {
    const task = sampleTask(accountId, { title, message: { type: 'user_message', text, kind: 'text' } });
    return store.database.run(createTask, task);
  }

  it('is found by literal words of its title and its messages', async () => {
    const accountId = newAccountId();
    const walls = await add(accountId, 'Walls', 'Paint the "blue" house 100% red');
    const httpClients = await add(accountId, 'Doors', 'Paint them green');
    expect(await search(accountId, { texts: ['paint'] })).toEqual([httpClients.id, walls.id]);
    expect(await search(accountId, { texts: ['"BLUE"', 'wALLS'] })).toEqual([walls.id]);
    expect(await search(accountId, { texts: ['100%'] })).toEqual([walls.id]);
    expect(await search(accountId, { texts: ['blue%red'] })).toEqual([]);
    expect(await search(accountId, { texts: ['walls', 'green'] })).toEqual([]);
    expect(await search(newAccountId(), { texts: ['paint'] })).toEqual([]);
    expect(await search(accountId, { texts: [walls.id, 'paint'] })).toEqual([walls.id]);
    expect(await search(newAccountId(), { texts: [walls.id] })).toEqual([]);
  });

  it('appears on one page of a list sorted by last change', async () => {
    const accountId = newAccountId();
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c']) ids.push((await add(accountId, title, 'x')).id);
    const [first = ''] = ids;
    const change = { title: 'changed', isHidden: null, share: null };
    await store.database.run(updateTask, { accountId, taskId: first, now: nextMs(), ...change });
    const pages: string[] = [];
    for (let afterId: string | null = null; ; ) {
      const [id] = await search(accountId, { sortBy: 'updated_at', limit: 1, afterId });
      if (id === undefined) break;
      pages.push(id);
      afterId = id;
    }
    expect(pages).toEqual([first, ids[2], ids[1]]);
  });

  it('shows its owner and whether it waits for a worker', async () => {
    const accountId = await addAccount(store.database);
    const { id: taskId } = await add(accountId, 'Walls', 'Paint');
    const ownerEmail = `${accountId.toLowerCase()}@example.org`;
    const read = () => store.database.run(readTaskRelations, { accountId, taskId });
    expect(await read()).toEqual({ ownerEmail, team: null, isQueued: true });
    await claim(store.database);
    const [teamId, now] = [newId(nextMs()), nextMs()];
    await store.database.run(createTeam, { teamId, name: 'Research', ownerId: accountId, now, actor: 'test' });
    expect(await read()).toEqual({ ownerEmail, team: { id: teamId, name: 'Research' }, isQueued: false });
    await expect(store.database.run(readTaskRelations, { accountId: newAccountId(), taskId })).rejects.toThrow('not found');
  });

  it('is found by the id of its share until it is private again', async () => {
    const accountId = newAccountId();
    const task = sampleTask(accountId, { shareVisibility: 'public', shareId: 's1' });
    await store.database.run(createTask, task);
    const key = { accountId, taskId: task.taskId };
    expect(await store.database.run(findTaskOfShare, { shareId: 's1' })).toEqual(key);
    const share = { visibility: 'private', freshShareId: 's2' } as const;
    await store.database.run(updateTask, { ...key, now: nextMs(), title: null, isHidden: null, share });
    expect(await store.database.run(findTaskOfShare, { shareId: 's1' })).toBeNull();
    expect(await store.database.run(findSharedTask, { shareId: 's1', readerId: accountId })).toBeNull();
  });
});
