import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import { addAccount } from '../../../test/support/oauth/oauth-samples.ts';
import { saveSignIn } from './connector-sign-ins.ts';
import { createConnector, deleteConnector, getConnector } from './connectors.ts';

describeStores('a connector', (store) => {
  async function addConnector() {
    const key = { accountId: await addAccount(store.database), connectorId: newId(nextMs()) };
    const text = { name: 'Mail', description: '', category: '', url: 'https://mcp.example/', headers: null };
    const state = { tools: [], isDefault: false, signIn: 'needed' as const, problem: null, now: nextMs() };
    await store.database.run(createConnector, { ...key, ...text, ...state });
    return key;
  }

  it('only replaces the sign-in data that the caller has seen', async () => {
    const key = await addConnector();
    const keep = (before: string | null, oauth: string) =>
      store.database.run(saveSignIn, { ...key, before, oauth, signIn: 'granted' });
    expect(await keep(null, 'one')).toBe(true);
    expect(await keep(null, 'late')).toBe(false);
    expect(await keep('one', 'two')).toBe(true);
    expect(await store.database.run(getConnector, key)).toMatchObject({ oauth: 'two', signIn: 'granted' });
  });

  it('is deleted by its own account only, with everything stored for it', async () => {
    const key = await addConnector();
    const foreign = { ...key, accountId: await addAccount(store.database) };
    await expect(store.database.run(deleteConnector, foreign)).rejects.toMatchObject({ code: 'not_found' });
    await store.database.run(deleteConnector, key);
    await expect(store.database.run(getConnector, key)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.database.run(saveSignIn, { ...key, before: null, oauth: 'x', signIn: null })).toBe(false);
  });
});
