import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { systemClock } from '@errand/base/clock.ts';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId, nextMs } from '../../../test/support/db/store-samples.ts';
import { MemoryBlobStore } from '../../../test/support/files/memory-blob-store.ts';
import { createAccount } from '../accounts/accounts.ts';
import { takeUnneededBlobs } from '../blobs/blob-references.ts';
import { createBlobs } from '../blobs/blobs.ts';
import { deleteBrand, findBrand, getBrand, setBrand } from './brands.ts';

describeStores('a stored brand', (store) => {
  const makeAccount = async () => {
    const accountId = newAccountId();
    const email = `${accountId}@example.com`;
    await store.database.run(createAccount, { accountId, email, plan: 'pro', locale: 'en', createdAtMs: nextMs() });
    return { accountId, scope: 'account' as const, scopeId: accountId };
  };
  const makeLogo = async (accountId: string) => {
    const blobs = createBlobs({ database: store.database, blobStore: new MemoryBlobStore(), clock: systemClock });
    const { blobId } = await blobs.put(accountId, Readable.from([Buffer.from('<svg/>')]), { maxBytes: 100 });
    return { blobId, filename: 'a.svg', bytes: 6, form: 'svg' as const };
  };

  it('loses nothing when several change it at the same time', async () => {
    const key = await makeAccount();
    const changes = [
      { name: 'Rivermouth' },
      { footer: 'Old Quay' },
      { colors: { accent: '#b3002d' } },
      { theme: 'deck' as const },
    ];
    const databases = [store.database, ...store.others];
    await Promise.all(
      changes.map((change, at) =>
        (databases[at % databases.length] ?? store.database).run(setBrand, { ...key, changes: change, now: nextMs() }),
      ),
    );
    const stored = await store.database.run(getBrand, key);
    expect(stored?.brand).toMatchObject({ name: 'Rivermouth', footer: 'Old Quay', colors: { accent: '#b3002d' }, theme: 'deck' });
  });

  it('is not set with a file that is being deleted, and lets go of one that it no longer has', async () => {
    const key = await makeAccount();
    const gone = { blobId: 'gone', filename: 'a.svg', bytes: 1, form: 'svg' as const };
    await expect(store.database.run(setBrand, { ...key, changes: { logo: gone }, now: nextMs() })).rejects.toMatchObject({
      code: 'not_found',
    });
    const logo = await makeLogo(key.accountId);
    await store.database.run(setBrand, { ...key, changes: { logo }, now: nextMs() });
    expect(await store.database.run(takeUnneededBlobs, { limit: 5 })).toEqual([]);
    expect(await store.database.run(deleteBrand, key)).toBe(true);
    expect(await store.database.run(takeUnneededBlobs, { limit: 5 })).toMatchObject([{ blobId: logo.blobId }]);
  });

  it('is found by its own account only', async () => {
    const key = await makeAccount();
    await store.database.run(setBrand, { ...key, changes: { name: 'x' }, now: nextMs() });
    const { accountId } = await makeAccount();
    expect(await store.database.run(findBrand, { accountId, projectId: null })).toBe(null);
    for (const operation of [getBrand, deleteBrand]) {
      await expect(store.database.run<typeof key, unknown>(operation, { ...key, accountId })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});
