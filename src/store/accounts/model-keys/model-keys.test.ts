import { expect, it } from 'vitest';
import { modelKeysKey } from '@errand/base/signals/hints.ts';
import { describeStores } from '../../../../test/support/db/databases.ts';
import { newAccountId } from '../../../../test/support/db/store-samples.ts';
import { listSecurityEvents } from '../security-events.ts';
import { hasModelKeys, listModelKeys, removeModelKey, type SaveModelKeyArgs, saveModelKey } from './model-keys.ts';

describeStores('the models that an account has brought keys for', (store) => {
  const profile = 'service-1.6';
  let now = 5;
  const seenAs = (revision: string | null) => (revision === null ? [] : [{ profile, revision } as const]);
  const save = (accountId: string, models: string, from: string | null, revision: string, more: Partial<SaveModelKeyArgs> = {}) =>
    store.database.run(saveModelKey, {
      ...{ accountId, profile, seen: seenAs(from), actor: 'api_key:k', now: now++, isNewKey: from === null },
      key: { models, baseUrl: null, revision },
      secret: { sealedKey: 'sealed', keyTail: 'wxyz' },
      ...more,
    });
  const remove = (accountId: string, from: string | null) =>
    store.database.run(removeModelKey, { accountId, profile, seen: seenAs(from), actor: 'api_key:k', now: now++ });
  const list = async (accountId: string) => (await store.database.run(listModelKeys, { accountId })).map(({ models }) => models);

  it('belong to that account, change only by who knows their newest revision, and every process is told', async () => {
    const [ann, ben] = [newAccountId(), newAccountId()];
    let hints = 0;
    const end = store.database.hints.subscribe(modelKeysKey, () => hints++);
    expect(await store.database.run(hasModelKeys, null)).toBe(false);
    const conflict = { code: 'conflict' };
    await save(ann, 'openai/a', null, 'r1');
    expect(await store.database.run(hasModelKeys, null)).toBe(true);
    await expect(save(ann, 'openai/b', null, 'r2')).rejects.toMatchObject(conflict);
    await expect(save(ben, 'openai/b', 'r1', 'r2')).rejects.toMatchObject(conflict);
    await expect(remove(ben, 'r1')).rejects.toMatchObject(conflict);
    await save(ben, 'google/c', null, 'r1');
    await save(ann, 'openai/b', 'r1', 'r2');
    expect([await list(ann), await list(ben)]).toEqual([['openai/b'], ['google/c']]);
    await expect(remove(ann, 'r1')).rejects.toMatchObject(conflict);
    await remove(ann, 'r2');
    await expect(remove(ann, null)).rejects.toMatchObject({ code: 'not_found' });
    expect([await list(ann), await list(ben)]).toEqual([[], ['google/c']]);
    expect(hints).toBe(4);
    end();
    const events = await store.database.run(listSecurityEvents, { accountId: ann, beforeId: null, limit: 5 });
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['model_key_removed', { profile }],
      ['model_key_set', { profile, models: 'openai/b' }],
      ['model_key_set', { profile, models: 'openai/a', api_key: 'changed' }],
    ]);
  });

  it('change only if no other profile of the account, which may share the key, has changed since', async () => {
    const [ann, ben] = [newAccountId(), newAccountId()];
    const lite = 'service-1.6-lite';
    await save(ben, 'openai/b', null, 'r1');
    await save(ann, 'openai/a', null, 'r1');
    const known = seenAs('r1');
    await save(ann, 'openai/a', null, 'r2', { profile: lite, seen: known, secret: { sealedKey: null, keyTail: null } });
    const conflict = { code: 'conflict' };
    await expect(remove(ann, 'r1')).rejects.toMatchObject(conflict);
    await expect(save(ann, 'google/a', 'r1', 'r3')).rejects.toMatchObject(conflict);
    const seen = [...known, { profile: lite, revision: 'r2' } as const];
    await save(ann, 'google/a', null, 'r3', { seen });
    expect(await list(ann)).toEqual(['google/a', 'openai/a']);
    expect(await list(ben)).toEqual(['openai/b']);
  });

  it('keep the key as it is sealed by then if a change does not give another', async () => {
    const ann = newAccountId();
    await save(ann, 'openai/a', null, 'r1');
    await store.query("UPDATE model_keys SET sealed_key = 'sealed anew'");
    await save(ann, 'openai/b', 'r1', 'r2', { secret: null });
    const [row] = await store.database.run(listModelKeys, { accountId: ann });
    expect(row).toMatchObject({ models: 'openai/b', sealedKey: 'sealed anew', keyTail: 'wxyz' });
  });
});
