import { Fault, invalidField } from '@errand/base/fault.ts';
import { foldersAbove } from '../../rules/memory/memory-path.ts';
import { memoryLimits } from '../../rules/memory/memory-scope.ts';
import { computedCodec, integer } from '../db/row-codec.ts';
import { insertRow, marks, type Script, selectFirst, selectOne, sql } from '../db/store-operation.ts';
import { type OpenStore, trimHistory, versionOverhead } from './memory-history.ts';
import { fileRow, inStore, type MemoryFile, type MemoryKey, type MemoryOrigin, storeColumns, storeRow } from './memory-rows.ts';

const sumRow = computedCodec('memory_stores', { total: integer });

/** A store for changing it. The caller has locked its account, so that nothing else changes it meanwhile. */
export function* openStore(key: MemoryKey): Script<OpenStore> {
  const { where, params } = inStore(key);
  const row = yield* selectFirst(`SELECT * FROM memory_stores WHERE ${where}`, ...params);
  if (!row) return { key, files: 0, bytes: 0, historyBytes: 0, revision: 0, restorableFrom: 0 };
  return {
    key,
    files: storeRow.files(row),
    bytes: storeRow.bytes(row),
    historyBytes: storeRow.history_bytes(row),
    revision: storeRow.revision(row),
    restorableFrom: storeRow.restorable_from(row),
  };
}

/** The newest version of a path; version 0 if it was never written. */
export interface Head {
  version: number;
  isDeleted: boolean;
  bytes: number;
}

export function* readHead(key: MemoryKey, path: string): Script<Head> {
  const { where, params } = inStore(key);
  const row = yield* selectFirst(
    `SELECT version, is_deleted, bytes FROM memory_files WHERE ${where} AND path = ?`,
    ...params,
    path,
  );
  if (!row) return { version: 0, isDeleted: true, bytes: 0 };
  return { version: fileRow.version(row), isDeleted: fileRow.is_deleted(row), bytes: fileRow.bytes(row) };
}

/** A path is either a file or a folder. */
function* checkPlace({ key }: OpenStore, path: string): Script<void> {
  const { where, params } = inStore(key);
  const above = foldersAbove(path);
  const isAbove = above.length === 0 ? '' : `path IN (${marks(above.length)}) OR`;
  const row = yield* selectFirst(
    `SELECT path FROM memory_files WHERE ${where} AND is_deleted = 0 AND (${isAbove} (path > ? AND path < ?)) LIMIT 1`,
    ...params,
    ...above,
    `${path}/`,
    `${path}0`,
  );
  if (!row) return;
  const taken = fileRow.path(row);
  throw invalidField('path', above.includes(taken) ? `"${taken}" is a file, not a folder` : 'is a folder');
}

function* checkSpace(store: OpenStore, head: Head, bytes: number): Script<void> {
  const added = bytes - (head.isDeleted ? 0 : head.bytes);
  if (head.isDeleted && store.files >= memoryLimits.storeFiles) {
    throw new Fault('resource_exhausted', `This memory is full: it can have ${memoryLimits.storeFiles} files; delete some.`);
  }
  if (added > 0 && store.bytes + added > memoryLimits.storeBytes) {
    throw new Fault(
      'resource_exhausted',
      `This memory is full: it can have ${memoryLimits.storeBytes} bytes; shorten or delete files.`,
    );
  }
  if (added <= 0) return;
  const row = yield* selectOne(
    'SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) AS total FROM memory_stores WHERE account_id = ?',
    store.key.accountId,
  );
  if (sumRow.total(row) + added > memoryLimits.accountBytes) {
    throw new Fault('resource_exhausted', `The memory of an account can have ${memoryLimits.accountBytes} bytes; delete files.`);
  }
}

export interface MemoryChange extends MemoryOrigin {
  path: string;
  /** Null deletes the file. */
  content: string | null;
  now: number;
}

function saveStore({ key, files, bytes, historyBytes, revision, restorableFrom }: OpenStore) {
  return sql(
    `INSERT INTO memory_stores (account_id, scope, scope_id, files, bytes, history_bytes, revision, restorable_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account_id, scope, scope_id) DO UPDATE SET files = excluded.files,
     bytes = excluded.bytes, history_bytes = excluded.history_bytes, revision = excluded.revision,
     restorable_from = excluded.restorable_from`,
    ...Object.values(storeColumns(key)),
    files,
    bytes,
    historyBytes,
    revision,
    restorableFrom,
  );
}

function writeVersion({ key, revision }: OpenStore, change: MemoryChange, version: number, bytes: number) {
  const { path, content, now, author, taskId } = change;
  const columns = storeColumns(key);
  return [
    sql(
      `INSERT INTO memory_files (account_id, scope, scope_id, path, version, is_deleted, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account_id, scope, scope_id, path) DO UPDATE SET version = excluded.version,
       is_deleted = excluded.is_deleted, bytes = excluded.bytes`,
      ...Object.values(columns),
      path,
      version,
      content === null ? 1 : 0,
      bytes,
    ),
    insertRow('memory_versions', {
      ...columns,
      ...{ path, version, revision, content, bytes, author },
      ...{ untrusted: change.untrusted ? 1 : 0, private: change.private ? 1 : 0, task_id: taskId, created_at: now },
    }),
  ];
}

/**
 * Makes a change the newest version of its file; refuses what does not fit before anything is written. `store` is updated, so that several
 * changes can follow each other.
 */
export function* applyChange(store: OpenStore, head: Head, change: MemoryChange): Script<MemoryFile> {
  const { path, content, now, author, taskId, untrusted, private: isPrivate } = change;
  const bytes = content === null ? 0 : Buffer.byteLength(content);
  if (content !== null) {
    if (head.isDeleted) yield* checkPlace(store, path);
    yield* checkSpace(store, head, bytes);
  }
  const version = head.version + 1;
  store.revision += 1;
  store.files += (content === null ? 0 : 1) - (head.isDeleted ? 0 : 1);
  store.bytes += bytes - (head.isDeleted ? 0 : head.bytes);
  const past = (head.isDeleted ? 0 : head.bytes + versionOverhead) + (content === null ? versionOverhead : 0);
  store.historyBytes += past;
  yield writeVersion(store, change, version, bytes);
  yield* trimHistory(store);
  yield [saveStore(store)];
  return { path, version, bytes, author, taskId, untrusted, private: isPrivate, createdAtMs: now };
}
