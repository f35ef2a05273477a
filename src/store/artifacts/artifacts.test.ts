import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { insertArtifact } from '../../../test/support/artifacts/artifact-samples.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { expectBlob, isBlobNeeded } from '../blobs/blob-references.ts';
import { findArchived } from './archived-artifacts.ts';
import { recordCover } from './artifact-covers.ts';
import type { SqlValue } from '../db/store-operation.ts';
import { getArtifact, updateArtifact } from './artifacts.ts';

describeStores('an artifact', (store) => {
  const query = (text: string, ...params: SqlValue[]) => store.query(text, ...params);

  it('is renamed and marked by its own account only, within the rights of the caller', async () => {
    const { accountId, id: artifactId } = await insertArtifact(query, newAccountId(), { oauthClientId: 'app' });
    const key = { accountId, artifactId, onlyClientId: null };
    const change = { now: nextMs(), isFavorite: true, displayName: null };
    expect(await store.database.run(updateArtifact, { ...key, ...change })).toMatchObject({ isFavorite: true });
    const renamed = { ...key, onlyClientId: 'app', ...change, isFavorite: null, displayName: 'Renamed' };
    await store.database.run(updateArtifact, renamed);
    const expected = { displayName: 'Renamed', isFavorite: true, filename: 'report.pdf' };
    expect(await store.database.run(getArtifact, key)).toMatchObject(expected);
    for (const foreign of [{ accountId: newAccountId() }, { onlyClientId: 'other' }]) {
      const refused = store.database.run(updateArtifact, { ...renamed, ...foreign });
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('is downloaded together with others of its account, oldest first', async () => {
    const accountId = newAccountId();
    const [first, second] = [await insertArtifact(query, accountId), await insertArtifact(query, accountId)];
    const foreign = await insertArtifact(query, newAccountId());
    const find = async (artifactIds: string[], taskId: string | null = null, onlyClientId: string | null = null) =>
      (await store.database.run(findArchived, { accountId, taskId, artifactIds, onlyClientId })).map(({ id }) => id);
    expect(await find([second.id, newId(1), first.id, foreign.id])).toEqual([first.id, second.id]);
    expect(await find([], first.taskId)).toEqual([first.id, second.id]);
    expect(await find([first.id], null, 'app')).toEqual([]);
    expect(await find([])).toEqual([]);
  });

  it('gets the cover of its current version, and no other cover is stored', async () => {
    const { accountId, id: artifactId, taskId } = await insertArtifact(query, newAccountId());
    const record = async (version: number) => {
      const blobId = newId(nextMs());
      await store.database.run(expectBlob, { accountId, blobId, graceMs: 60_000 });
      const cover = { blobId, filename: 'cover.png', contentType: 'image/png', bytes: 3 };
      await store.database.run(recordCover, { accountId, artifactId, taskId, version, cover });
      return { cover, isNeeded: await store.database.run(isBlobNeeded, { accountId, blobId }) };
    };
    expect((await record(2)).isNeeded).toBe(false);
    const { cover, isNeeded } = await record(1);
    expect(isNeeded).toBe(true);
    expect(await store.database.run(getArtifact, { accountId, artifactId, onlyClientId: null })).toMatchObject({ cover });
  });
});
