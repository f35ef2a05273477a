import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addOwner } from '../../../test/support/http/api-under-test.ts';
import { sampleRequest } from '../../../test/support/triggers/sample-trigger.ts';
import { createRecipe, deleteRecipe, getRecipe, listRecipes, maxRecipes } from './recipes.ts';

describeStores('the recipes of the store', (store) => {
  const settings = { name: 'Poems', description: '', fields: [], request: sampleRequest, isShared: false };

  it('are at most a hundred of an account, however many are made at once', async () => {
    const { accountId } = await addOwner(store.database);
    const make = () => store.database.run(createRecipe, { accountId, recipeId: newId(nextMs()), settings, now: nextMs() });
    const made = await Promise.allSettled(Array.from({ length: maxRecipes + 2 }, make));
    expect(made.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    const [newest] = await store.database.run(listRecipes, { accountId, beforeId: null, limit: 100 });
    if (!newest) throw new Error('no recipe was made');
    const key = { accountId, recipeId: newest.id };
    expect(await store.database.run(getRecipe, key)).toEqual(newest);
    await store.database.run(deleteRecipe, key);
    await expect(store.database.run(deleteRecipe, key)).rejects.toMatchObject({ code: 'not_found' });
    await make();
  });
});
