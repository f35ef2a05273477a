import { Fault } from '@errand/base/fault.ts';
import {
  type Brand,
  type BrandChanges,
  type BrandScope,
  changeBrand,
  emptyBrand,
  listBrandFiles,
} from '../../rules/brands/brand.ts';
import { checkContrast } from '../../rules/brands/brand-contrast.ts';
import { addBlobReferences, type BlobOwner, releaseBlobs } from '../blobs/blob-references.ts';
import { integer, json, oneOf, tableCodec, text } from '../db/row-codec.ts';
import { findRow, lockAccount, type Script, selectFirst, sql, type StoreOperation } from '../db/store-operation.ts';
import { fileNotFound } from '../files/files.ts';

const brandRow = tableCodec('brands', {
  account_id: text,
  scope: oneOf<BrandScope>(),
  scope_id: text,
  brand: json<Brand>(),
  updated_at: integer,
});
const brandColumns = brandRow.pick('scope, scope_id, brand, updated_at');
export type StoredBrand = ReturnType<typeof brandColumns.read>;

/** Names a brand, set or not. */
export interface BrandKey {
  accountId: string;
  scope: BrandScope;
  /** Id of the account or project. */
  scopeId: string;
}

function ownerOf({ scope, scopeId }: BrandKey): BlobOwner {
  return `brand:${scope}:${scopeId}`;
}

function rowKey({ accountId, scope, scopeId }: BrandKey) {
  return { account_id: accountId, scope, scope_id: scopeId };
}

/** Throws unless the brand is the account's own, or that of one of its projects. */
function* checkScope({ accountId, scope, scopeId }: BrandKey): Script<void> {
  const isThere =
    scope === 'account' ? scopeId === accountId : yield* findRow('id', 'projects', { account_id: accountId, id: scopeId });
  if (!isThere) throw new Fault('not_found', `${scope} not found`, { param: 'id' });
}

/** Changes a brand, or sets it. Throws a 400 that names a color which cannot be read. */
export const setBrand: StoreOperation<BrandKey & { changes: BrandChanges; now: number }, StoredBrand> = {
  name: 'brands.set',
  access: 'write',
  keys: ({ accountId, scopeId }) => [accountId, scopeId],
  *run(args) {
    const { accountId, scope, scopeId, changes, now } = args;
    yield* lockAccount(accountId);
    yield* checkScope(args);
    const row = yield* findRow(brandColumns.columns, 'brands', rowKey(args));
    const brand = changeBrand(row ? brandColumns.read(row).brand : emptyBrand, changes);
    checkContrast(brand.colors);
    yield releaseBlobs(accountId, ownerOf(args));
    const blobIds = listBrandFiles(brand).map(({ blobId }) => blobId);
    if (!(yield* addBlobReferences(accountId, blobIds, ownerOf(args)))) throw fileNotFound();
    yield [
      sql(
        `INSERT INTO brands (account_id, scope, scope_id, brand, updated_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account_id, scope, scope_id) DO UPDATE SET brand = excluded.brand, updated_at = excluded.updated_at`,
        accountId,
        scope,
        scopeId,
        JSON.stringify(brand),
        now,
      ),
    ];
    return { scope, scopeId, brand, updatedAtMs: now };
  },
};

/** Removes a brand with its files; false if none was set. */
export const deleteBrand: StoreOperation<BrandKey, boolean> = {
  name: 'brands.delete',
  access: 'write',
  keys: ({ accountId, scopeId }) => [accountId, scopeId],
  *run(key) {
    yield* lockAccount(key.accountId);
    yield* checkScope(key);
    const found = yield* findRow('scope', 'brands', rowKey(key));
    yield [
      ...releaseBlobs(key.accountId, ownerOf(key)),
      sql('DELETE FROM brands WHERE account_id = ? AND scope = ? AND scope_id = ?', key.accountId, key.scope, key.scopeId),
    ];
    return found !== undefined;
  },
};

/** A brand; null if none is set. Throws a 404 for a project that the account does not have. */
export const getBrand: StoreOperation<BrandKey, StoredBrand | null> = {
  name: 'brands.get',
  access: 'read',
  *run(key) {
    yield* checkScope(key);
    const row = yield* findRow(brandColumns.columns, 'brands', rowKey(key));
    return row ? brandColumns.read(row) : null;
  },
};

/** What the tasks of an account look like, in a project if one is given: its brand, or else that of the account. */
export const findBrand: StoreOperation<{ accountId: string; projectId: string | null }, StoredBrand | null> = {
  name: 'brands.find',
  access: 'read',
  *run({ accountId, projectId }) {
    const row = yield* selectFirst(
      `SELECT ${brandColumns.columns} FROM brands
       WHERE account_id = ? AND (scope, scope_id) IN (VALUES ('account', ?), ('project', ?)) ORDER BY scope DESC LIMIT 1`,
      accountId,
      accountId,
      projectId ?? '',
    );
    return row ? brandColumns.read(row) : null;
  },
};
