import { Fault } from '@errand/base/fault.ts';
import { lockAccount, type Script, selectAll, selectFirst, type StoreOperation } from '../db/store-operation.ts';
import { applyChange, type Head, type MemoryChange, openStore, readHead } from './memory-changes.ts';
import { type OpenStore } from './memory-history.ts';
import {
  checkOwner,
  inStore,
  type MemoryFile,
  type MemoryKey,
  memoryNotFound,
  type MemoryOrigin,
  versionRow,
} from './memory-rows.ts';

/** The version that a writer has to name: 0 for a file that is not there. */
export function currentVersion({ version, isDeleted }: Head): number {
  return isDeleted ? 0 : version;
}

function checkVersion(head: Head, ifVersion: number | null): void {
  const version = currentVersion(head);
  if (ifVersion === null || ifVersion === version) return;
  const found = version === 0 ? 'the file does not exist (version 0)' : `the file has version ${version}`;
  throw new Fault('conflict', `if_version: ${found}; read it again and write what both have.`, { param: 'if_version' });
}

export interface WriteMemoryArgs extends MemoryKey, Pick<MemoryOrigin, 'author'> {
  path: string;
  /** Null deletes the file. */
  content: string | null;
  /** The version that the writer has read, 0 for none; null overwrites any. */
  ifVersion: number | null;
  /** Null leaves the mark of the file as it is. */
  untrusted: boolean | null;
  now: number;
}

/** The marks of the newest version, which a person's correction does not lift. */
function* readMarks(key: MemoryKey, path: string, { version }: Head): Script<Pick<MemoryOrigin, 'untrusted' | 'private'>> {
  const { where, params } = inStore(key);
  const statement = `SELECT untrusted, private FROM memory_versions WHERE ${where} AND path = ? AND version = ?`;
  const row = yield* selectFirst(statement, ...params, path, version);
  return row ? { untrusted: versionRow.untrusted(row), private: versionRow.private(row) } : { untrusted: false, private: false };
}

/** Writes or deletes a file on behalf of a person or program. */
export const writeMemory: StoreOperation<WriteMemoryArgs, MemoryFile> = {
  name: 'memory.write',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ path, content, ifVersion, untrusted, author, now, ...key }) {
    // The lock on the account's row serializes all changes of its memory.
    yield* lockAccount(key.accountId);
    yield* checkOwner(key);
    const store = yield* openStore(key);
    const head = yield* readHead(key, path);
    if (content === null && head.isDeleted) throw memoryNotFound();
    checkVersion(head, ifVersion);
    const marks = head.isDeleted ? { untrusted: false, private: false } : yield* readMarks(key, path, head);
    const origin = { author, taskId: null, ...marks, ...(untrusted !== null && { untrusted }) };
    return yield* applyChange(store, head, { path, content, now, ...origin });
  },
};

export interface RestoreMemoryArgs extends MemoryKey, Pick<MemoryOrigin, 'author'> {
  /** Up to and including this millisecond. */
  atMs: number;
  now: number;
}

interface Revert {
  head: Head;
  change: MemoryChange;
}

/** What differs from the state at a moment. */
function* findReverts(store: OpenStore, { atMs, author, now }: RestoreMemoryArgs): Script<Revert[]> {
  const { where, params } = inStore(store.key, 'v');
  const then = yield* selectAll(
    `SELECT v.path, v.version, v.content, v.untrusted, v.private FROM memory_versions v WHERE ${where} AND v.version =
       (SELECT MAX(o.version) FROM memory_versions o WHERE o.account_id = v.account_id AND o.scope = v.scope
        AND o.scope_id = v.scope_id AND o.path = v.path AND o.created_at <= ?)`,
    ...params,
    atMs,
  );
  const at = new Map(then.map((row) => [versionRow.path(row), row]));
  const heads = yield* selectAll(
    `SELECT v.path, v.version, v.bytes, v.content FROM memory_versions v JOIN memory_files f ON f.account_id = v.account_id
       AND f.scope = v.scope AND f.scope_id = v.scope_id AND f.path = v.path AND f.version = v.version WHERE ${where}`,
    ...params,
  );
  return heads.flatMap((row): Revert[] => {
    const found = versionRow.content(row);
    const head = { version: versionRow.version(row), isDeleted: found === null, bytes: versionRow.bytes(row) };
    const path = versionRow.path(row);
    const former = at.get(path);
    const content = former ? versionRow.content(former) : null;
    if (content === found) return [];
    const marks = former
      ? { untrusted: versionRow.untrusted(former), private: versionRow.private(former) }
      : { untrusted: false, private: false };
    return [{ head, change: { path, content, now, author, taskId: null, ...marks } }];
  });
}

/** Deletions first, then what shrinks: so everything on the way fits if the end does. */
function orderReverts(reverts: readonly Revert[]): Revert[] {
  const growth = ({ head, change: { content } }: Revert) =>
    content === null ? Number.NEGATIVE_INFINITY : Buffer.byteLength(content) - (head.isDeleted ? 0 : head.bytes);
  return reverts.toSorted((a, b) => growth(a) - growth(b) || 0);
}

/** Makes a store what it was at a moment, by new versions; returns those. */
export const restoreMemory: StoreOperation<RestoreMemoryArgs, MemoryFile[]> = {
  name: 'memory.restore',
  access: 'exclusive',
  keys: ({ accountId }) => [accountId],
  *run(args) {
    const { accountId, scope, scopeId, atMs } = args;
    yield* lockAccount(accountId);
    yield* checkOwner(args);
    const store = yield* openStore({ accountId, scope, scopeId });
    if (atMs < store.restorableFrom) {
      const oldest = Math.floor(store.restorableFrom / 1000);
      throw new Fault('failed_precondition', `at: versions of that time are gone; the oldest moment is ${oldest}.`, {
        param: 'at',
      });
    }
    const restored: MemoryFile[] = [];
    for (const { head, change } of orderReverts(yield* findReverts(store, args))) {
      restored.push(yield* applyChange(store, head, change));
    }
    return restored;
  },
};
