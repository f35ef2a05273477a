import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { nextMs } from '../../../test/support/db/store-samples.ts';
import {
  createInstanceKey,
  findInstanceKey,
  listInstanceKeys,
  maxInstanceKeys,
  revokeInstanceKey,
  touchInstanceKeys,
} from './instance-keys.ts';

describeStores('keys of the instance', (store) => {
  const add = (digest: string) => {
    const now = nextMs();
    return store.database.run(createInstanceKey, { keyId: newId(now), name: 'k', digest, tail: 'tail', now });
  };

  it('are found by their digest until they are revoked, once', async () => {
    const { id } = await add('d1');
    await add('d2');
    expect(await store.database.run(findInstanceKey, 'd1')).toEqual({ keyId: id });
    await store.database.run(touchInstanceKeys, { now: 7, keyIds: [id] });
    expect((await store.database.run(listInstanceKeys, null)).map(({ lastUsedAtMs }) => lastUsedAtMs)).toEqual([7, null]);
    await store.database.run(revokeInstanceKey, { keyId: id, now: nextMs() });
    expect(await store.database.run(findInstanceKey, 'd1')).toBeNull();
    await expect(store.database.run(revokeInstanceKey, { keyId: id, now: nextMs() })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('are limited in number', async () => {
    for (let count = 0; count < maxInstanceKeys; count += 1) await add(`d${count}`);
    await expect(add('one more')).rejects.toMatchObject({ code: 'resource_exhausted' });
  });
});
