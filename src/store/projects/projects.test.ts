import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { createProject, getProject, updateProject } from './projects.ts';

describeStores('a project', (store) => {
  it('keeps fields that a change omits, and is only found by its own account', async () => {
    const key = { accountId: newAccountId(), projectId: newId(nextMs()) };
    const text = { name: 'Garden', instruction: 'Be brief.' };
    const made = {
      ...text,
      connectors: ['c1'],
      skills: ['s1', 's2'],
      actions: 'allow' as const,
      memory: true,
      setupScript: 'true',
      retentionDays: 0,
      now: nextMs(),
    };
    const { setup, ...project } = await store.database.run(createProject, { ...key, ...made });
    expect(await store.database.run(getProject, key)).toEqual(project);
    const nothing = {
      name: null,
      instruction: null,
      connectors: null,
      skills: null,
      actions: null,
      memory: null,
      setupScript: null,
      retentionDays: null,
    };
    const changed = await store.database.run(updateProject, {
      ...key,
      ...nothing,
      name: 'Yard',
      skills: [],
      memory: false,
      now: nextMs(),
    });
    expect(changed).toEqual({ ...project, name: 'Yard', skills: [], memory: false, setup });
    expect(await store.database.run(getProject, key)).toEqual({ ...project, name: 'Yard', skills: [], memory: false });
    const foreign = { ...key, accountId: newAccountId() };
    await expect(store.database.run(getProject, foreign)).rejects.toMatchObject({ code: 'not_found' });
    const refused = store.database.run(updateProject, { ...foreign, ...nothing, now: nextMs() });
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
  });
});
