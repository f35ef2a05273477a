import { memoryLimits } from '../../rules/memory/memory-scope.ts';
import { computedCodec, integer, nullable } from '../db/row-codec.ts';
import { padToPowerOfTwo, repeat, type Row, type Script, selectAll, sql, type SqlValue } from '../db/store-operation.ts';
import { inStore, type MemoryKey, storeColumns, versionRow } from './memory-rows.ts';

/** What a store holds while it is changed. */
export interface OpenStore {
  key: MemoryKey;
  files: number;
  bytes: number;
  /** Bytes of former versions and deletions. */
  historyBytes: number;
  revision: number;
  restorableFrom: number;
}

/** Bytes that a version counts in the history besides its content. */
export const versionOverhead = 256;

const successorRow = computedCodec('memory_versions', { replaced_at: nullable(integer) });

/** Versions looked at in one step. */
const step = 64;

/** The oldest versions that are no current file. */
function* findOldest(key: MemoryKey): Script<Row[]> {
  const { where, params } = inStore(key, 'v');
  return yield* selectAll(
    `SELECT v.path, v.version, v.bytes, v.created_at, (SELECT MIN(n.created_at) FROM memory_versions n WHERE n.account_id = v.account_id
       AND n.scope = v.scope AND n.scope_id = v.scope_id AND n.path = v.path AND n.version > v.version) AS replaced_at
     FROM memory_versions v WHERE ${where} AND NOT EXISTS (SELECT 1 FROM memory_files f WHERE f.account_id = v.account_id
       AND f.scope = v.scope AND f.scope_id = v.scope_id AND f.path = v.path AND f.version = v.version AND f.is_deleted = 0)
     ORDER BY v.revision LIMIT ?`,
    ...params,
    step,
  );
}

function deleteVersions(key: MemoryKey, rows: readonly Row[]) {
  const padded = padToPowerOfTwo(rows);
  const params: SqlValue[] = padded.flatMap((row) => [
    ...Object.values(storeColumns(key)),
    versionRow.path(row),
    versionRow.version(row),
  ]);
  const listed = `(account_id, scope, scope_id, path, version) IN (VALUES ${repeat('(?, ?, ?, ?, CAST(? AS BIGINT))', padded.length)})`;
  return [
    sql(`DELETE FROM memory_versions WHERE ${listed}`, ...params),
    // A deleted file has no row left once its last version is gone.
    sql(`DELETE FROM memory_files WHERE ${listed} AND is_deleted = 1`, ...params),
  ];
}

/** Deletes the oldest versions until the history fits. `store` is updated. */
export function* trimHistory(store: OpenStore): Script<void> {
  while (store.historyBytes > memoryLimits.historyBytes) {
    const gone: Row[] = [];
    for (const row of yield* findOldest(store.key)) {
      if (store.historyBytes <= memoryLimits.historyBytes) break;
      gone.push(row);
      store.historyBytes -= versionRow.bytes(row) + versionOverhead;
      const replacedAt = successorRow.replaced_at(row) ?? versionRow.created_at(row);
      store.restorableFrom = Math.max(store.restorableFrom, replacedAt);
    }
    if (gone.length === 0) return;
    yield deleteVersions(store.key, gone);
  }
}
