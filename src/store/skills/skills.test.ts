import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { deleteSkill, saveSkill, loadSkill } from './skills.ts';

describeStores('a skill', (store) => {
  const keep = (accountId: string, body: string, files: Record<string, string> = {}) => {
    const now = nextMs();
    const listed = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }));
    const skill = { name: 'letters', description: 'Writes letters', body, files: listed };
    return store.database.run(saveSkill, { accountId, skillId: newId(now), owner: 'personal', projectId: null, skill, now });
  };

  it('is replaced by one with the same name, with its files, and keeps its id', async () => {
    const accountId = await addAccount(store.database);
    const first = await keep(accountId, 'one', { 'a.txt': 'old', 'b.txt': 'gone' });
    const second = await keep(accountId, 'two', { 'a.txt': 'new' });
    expect(second.id).toBe(first.id);
    const loaded = await store.database.run(loadSkill, { accountId, projectId: null, skillId: first.id });
    expect(loaded).toMatchObject({ name: 'letters', body: 'two' });
    expect(loaded?.files.map(({ path, content }) => [path, Buffer.from(content).toString()])).toEqual([['a.txt', 'new']]);
  });

  it('is loaded and deleted by the account that uploaded it, and by no other', async () => {
    const [accountId, other] = [await addAccount(store.database), await addAccount(store.database)];
    const { id: skillId } = await keep(accountId, 'one');
    const load = (reader: string) => store.database.run(loadSkill, { accountId: reader, projectId: null, skillId });
    expect(await load(other)).toBeNull();
    await expect(store.database.run(deleteSkill, { accountId: other, skillId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await load(accountId)).not.toBeNull();
    await store.database.run(deleteSkill, { accountId, skillId });
    expect(await load(accountId)).toBeNull();
  });
});
