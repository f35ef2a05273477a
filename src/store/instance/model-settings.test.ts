import { expect, it } from 'vitest';
import { modelsKey } from '@errand/base/signals/hints.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { listModelSettings, removeModelSettings, saveModelSettings } from './model-settings.ts';
import { listSecurityEvents } from '../accounts/security-events.ts';

describeStores('the stored models of a profile', (store) => {
  const profile = 'service-1.6';
  const save = (models: string, from: string | null, revision: string, now = 5) =>
    store.database.run(saveModelSettings, {
      ...{ profile, from, actor: 'operator', now, isNewKey: from === null },
      settings: { models, baseUrl: null, sealedKey: 'sealed', keyTail: 'wxyz', revision },
    });

  it('are changed and removed only by who knows their newest revision, and every process is told', async () => {
    let hints = 0;
    const end = store.database.hints.subscribe(modelsKey, () => hints++);
    const conflict = { code: 'conflict' };
    await expect(save('ollama/a', 'r0', 'r1')).rejects.toMatchObject(conflict);
    await save('ollama/a', null, 'r1');
    await expect(save('ollama/b', null, 'r2')).rejects.toMatchObject(conflict);
    await save('ollama/b', 'r1', 'r2', 6);
    await expect(save('ollama/c', 'r1', 'r3')).rejects.toMatchObject(conflict);
    const facts = { baseUrl: null, sealedKey: 'sealed', keyTail: 'wxyz', changedAtMs: 6 };
    expect(await store.database.run(listModelSettings, null)).toEqual([
      { ...facts, profile, models: 'ollama/b', revision: 'r2' },
    ]);
    const remove = (from: string) => store.database.run(removeModelSettings, { profile, from, actor: 'operator', now: 7 });
    await expect(remove('r1')).rejects.toMatchObject(conflict);
    await remove('r2');
    expect(await store.database.run(listModelSettings, null)).toEqual([]);
    expect(hints).toBe(3);
    end();
    const events = await store.database.run(listSecurityEvents, { accountId: instanceRecord, beforeId: null, limit: 3 });
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['models_reset', { profile }],
      ['models_set', { profile, models: 'ollama/b' }],
      ['models_set', { profile, models: 'ollama/a', api_key: 'changed' }],
    ]);
  });
});
