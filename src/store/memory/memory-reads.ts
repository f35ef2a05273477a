import type { MemoryPlace } from '../../rules/memory/memory-scope.ts';
import {
  padToPowerOfTwo,
  placeholders,
  type Script,
  selectAll,
  selectFirst,
  type StoreOperation,
} from '../db/store-operation.ts';
import {
  checkOwner,
  inStore,
  type MemoryFile,
  type MemoryKey,
  memoryNotFound,
  storeRow,
  versionHead,
  versionRow,
} from './memory-rows.ts';

/** A file, or a former version of one. */
export interface MemoryText extends MemoryFile {
  content: string;
}

const current = `JOIN memory_files f ON f.account_id = v.account_id AND f.scope = v.scope AND f.scope_id = v.scope_id
  AND f.path = v.path AND f.version = v.version AND f.is_deleted = 0`;

export interface ListMemoryArgs extends MemoryKey {
  /** Exclusive: returns files whose path comes after this one. */
  afterPath: string | null;
  limit: number;
}

/** The files of a store by path. */
export const listMemory: StoreOperation<ListMemoryArgs, MemoryFile[]> = {
  name: 'memory.list',
  access: 'read',
  *run({ afterPath, limit, ...key }) {
    yield* checkOwner(key);
    const { where, params } = inStore(key, 'v');
    const statement = `SELECT ${versionHead.columnsOf('v')} FROM memory_versions v ${current}
      WHERE ${where} AND v.path > ? ORDER BY v.path LIMIT ?`;
    return (yield* selectAll(statement, ...params, afterPath ?? '', limit)).map(versionHead.read);
  },
};

/** A file as it is, or as it was in a version. */
export const readMemory: StoreOperation<MemoryKey & { path: string; version: number | null }, MemoryText> = {
  name: 'memory.read',
  access: 'read',
  *run({ path, version, ...key }) {
    yield* checkOwner(key);
    const { where, params } = inStore(key, 'v');
    const columns = `${versionHead.columnsOf('v')}, v.content`;
    const row =
      version === null
        ? yield* selectFirst(`SELECT ${columns} FROM memory_versions v ${current} WHERE ${where} AND v.path = ?`, ...params, path)
        : yield* selectFirst(
            `SELECT ${columns} FROM memory_versions v WHERE ${where} AND v.path = ? AND v.version = ?`,
            ...params,
            path,
            version,
          );
    const content = row && versionRow.content(row);
    if (!row || content === null || content === undefined) throw memoryNotFound();
    return { ...versionHead.read(row), content };
  },
};

export interface ListVersionsArgs extends MemoryKey {
  path: string;
  /** Exclusive: returns versions before this one. */
  beforeVersion: number | null;
  limit: number;
}

/** A version in the history of a file; `isDeletion`: the file was deleted with it. */
export type MemoryVersion = MemoryFile & { isDeletion: boolean };

/** The versions of a file, newest first; none are known of a path that was never written. */
export const listMemoryVersions: StoreOperation<ListVersionsArgs, MemoryVersion[]> = {
  name: 'memory.versions',
  access: 'read',
  *run({ path, beforeVersion, limit, ...key }) {
    yield* checkOwner(key);
    const { where, params } = inStore(key);
    const before = beforeVersion ?? Number.MAX_SAFE_INTEGER;
    const statement = `SELECT ${versionHead.columns}, CASE WHEN content IS NULL THEN NULL ELSE '' END AS content
      FROM memory_versions WHERE ${where} AND path = ? AND version < ? ORDER BY version DESC LIMIT ?`;
    const rows = yield* selectAll(statement, ...params, path, before, limit);
    if (rows.length === 0 && beforeVersion === null) throw memoryNotFound();
    return rows.map((row) => ({ ...versionHead.read(row), isDeletion: versionRow.content(row) === null }));
  },
};

/** A store as a task finds it. */
export interface LoadedStore extends MemoryPlace {
  revision: number;
  files: MemoryText[];
}

function* loadFiles(key: MemoryKey): Script<MemoryText[]> {
  const { where, params } = inStore(key, 'v');
  const statement = `SELECT ${versionHead.columnsOf('v')}, v.content FROM memory_versions v ${current} WHERE ${where} ORDER BY v.path`;
  const rows = yield* selectAll(statement, ...params);
  return rows.map((row) => ({ ...versionHead.read(row), content: versionRow.content(row) ?? '' }));
}

/**
 * The stores of a task that have changed since the given revisions, with all their files. A store that nobody has written to has revision
 * 0. Empty stores cost one lookup in total.
 */
export const loadMemory: StoreOperation<
  { accountId: string; known: readonly (MemoryPlace & { revision: number })[] },
  LoadedStore[]
> = {
  name: 'memory.load',
  access: 'read',
  *run({ accountId, known }) {
    const padded = padToPowerOfTwo(known);
    const found = yield* selectAll(
      `SELECT scope, scope_id, revision FROM memory_stores
       WHERE account_id = ? AND (scope, scope_id) IN (VALUES ${placeholders(padded.length, 2)})`,
      accountId,
      ...padded.flatMap(({ scope, scopeId }) => [scope, scopeId]),
    );
    const revisions = new Map(found.map((row) => [storeRow.scope(row), storeRow.revision(row)]));
    const loaded: LoadedStore[] = [];
    for (const { scope, scopeId, revision: seen } of known) {
      const revision = revisions.get(scope) ?? 0;
      if (revision === seen) continue;
      loaded.push({ scope, scopeId, revision, files: yield* loadFiles({ accountId, scope, scopeId }) });
    }
    return loaded;
  },
};
