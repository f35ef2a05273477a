import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { uploadLimits } from '../../rules/files/upload-policy.ts';
import { expectBlob, isBlobNeeded } from '../blobs/blob-references.ts';
import { completeUpload, createFile, deleteFile, getFile, listRecentFiles } from './files.ts';

describeStores('an uploaded file', (store) => {
  async function addFile(accountId: string) {
    const now = nextMs();
    const key = { accountId, fileId: newId(now) };
    const args = { ...key, filename: 'a.txt', contentType: 'text/plain', oauthClientId: null, now };
    await store.database.run(createFile, args);
    return key;
  }

  async function upload(key: { accountId: string; fileId: string }, bytes: number) {
    const [now, blobId] = [nextMs(), newId(nextMs())];
    await store.database.run(expectBlob, { accountId: key.accountId, blobId, graceMs: 60_000 });
    await store.database.run(completeUpload, { ...key, blobId, bytes, contentType: 'text/plain', now });
    return blobId;
  }

  it('has the content of the last upload, and releases that of an earlier one', async () => {
    const key = await addFile(newAccountId());
    const { accountId } = key;
    const [first, second] = [await upload(key, 3), await upload(key, 4)];
    expect(await store.database.run(getFile, key)).toMatchObject({ status: 'uploaded', stored: { blobId: second, bytes: 4 } });
    expect(await store.database.run(isBlobNeeded, { accountId, blobId: first })).toBe(false);
    expect(await store.database.run(isBlobNeeded, { accountId, blobId: second })).toBe(true);
  });

  it('cannot be completed beyond the limit of its account, nor once it is deleted', async () => {
    const accountId = newAccountId();
    const [first, second] = [await addFile(accountId), await addFile(accountId)];
    await upload(first, uploadLimits.accountBytes);
    await expect(upload(second, 1)).rejects.toMatchObject({ code: 'resource_exhausted' });
    await store.database.run(deleteFile, { ...first, now: nextMs() });
    await expect(upload(first, 1)).rejects.toMatchObject({ code: 'not_found' });
    await upload(second, 1);
  });

  it('is listed among the newest of its account until it is deleted', async () => {
    const accountId = newAccountId();
    const [first, second, third] = [await addFile(accountId), await addFile(accountId), await addFile(accountId)];
    await addFile(newAccountId());
    await store.database.run(deleteFile, { ...third, now: nextMs() });
    const list = async (limit: number) =>
      (await store.database.run(listRecentFiles, { accountId, now: nextMs(), limit })).map(({ fileId }) => fileId);
    expect(await list(5)).toEqual([second.fileId, first.fileId]);
    expect(await list(1)).toEqual([second.fileId]);
  });
});
