import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { append, createClaimed, nextMs } from '../../../test/support/db/store-samples.ts';
import { getArtifact } from '../artifacts/artifacts.ts';
import { expectBlob } from '../blobs/blob-references.ts';
import { claimDueSites, findPublicSite, recordPublication } from './published-websites.ts';
import { getWebsite, publishWebsite, updateWebsite } from './websites.ts';

describeStores('a website', (store) => {
  async function addSite() {
    const task = await createClaimed(store.database);
    const [websiteId, versionId, blobId] = [newId(nextMs()), newId(nextMs()), newId(nextMs())];
    await store.database.run(expectBlob, { accountId: task.accountId, blobId, graceMs: 60_000 });
    const text = {
      folder: 'site/',
      space: websiteId.toLowerCase(),
      title: 'Shop',
      platform: 'website',
      message: 'First',
    } as const;
    const site = { websiteId, versionId, blobId, indexAt: 1, bytes: 2, ...text };
    await append(task, [{ type: 'site_made', ...site }], store.database);
    return { accountId: task.accountId, ...site };
  }

  it('is public once its publication has finished, which counts for the requested version', async () => {
    const { accountId, websiteId, versionId, space } = await addSite();
    const key = { accountId, websiteId };
    expect(await store.database.run(publishWebsite, { ...key, visibility: 'public', now: nextMs() })).toMatchObject({
      versionId,
    });
    expect(await store.database.run(claimDueSites, { limit: 5 })).toMatchObject([{ websiteId, versionId }]);
    expect(await store.database.run(claimDueSites, { limit: 5 })).toEqual([]);
    const end = { ...key, versionId, isGood: true, now: nextMs() };
    await store.database.run(recordPublication, { ...end, versionId: newId(1) });
    expect(await store.database.run(findPublicSite, { space })).toBeNull();
    await store.database.run(recordPublication, end);
    expect(await store.database.run(findPublicSite, { space })).toMatchObject({ websiteId, versionId, bytes: 2 });
    await store.database.run(recordPublication, { ...end, isGood: false });
    const site = await store.database.run(getWebsite, { ...key, taskId: null });
    expect(site).toMatchObject({ publishStatus: 'published', publishedVersion: versionId });
  });

  it('has its new title as an artifact too', async () => {
    const { accountId, websiteId } = await addSite();
    await store.database.run(updateWebsite, { accountId, websiteId, title: 'Store', visibility: null, now: nextMs() });
    const site = await store.database.run(getWebsite, { accountId, websiteId, taskId: null });
    expect(site).toMatchObject({ title: 'Store', visibility: 'private' });
    const artifact = await store.database.run(getArtifact, { accountId, artifactId: websiteId, onlyClientId: null });
    expect(artifact).toMatchObject({ displayName: 'Store', filename: 'Store' });
  });
});
