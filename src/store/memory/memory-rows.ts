import { Fault } from '@errand/base/fault.ts';
import type { MemoryPlace } from '../../rules/memory/memory-scope.ts';
import { flag, integer, nullable, tableCodec, text } from '../db/row-codec.ts';
import { findRow, type Script, type SqlValue } from '../db/store-operation.ts';

/** One store of an account. */
export interface MemoryKey extends MemoryPlace {
  accountId: string;
}

/** The author of a version, and what the author had seen. */
export interface MemoryOrigin {
  /** `task`, or the caller as `actorOf` names it. */
  author: string;
  /** The task that wrote it; null for people and programs. */
  taskId: string | null;
  /** Whether the author had read pages of strangers. */
  untrusted: boolean;
  /** Whether the author had read private material. */
  private: boolean;
}

/** A version of a file without its content. */
export interface MemoryFile extends MemoryOrigin {
  path: string;
  version: number;
  bytes: number;
  createdAtMs: number;
}

/** `memory_stores` */
export const storeRow = tableCodec('memory_stores', {
  scope: text,
  scope_id: text,
  files: integer,
  bytes: integer,
  history_bytes: integer,
  revision: integer,
  restorable_from: integer,
});

/** `memory_files` */
export const fileRow = tableCodec('memory_files', { path: text, version: integer, is_deleted: flag, bytes: integer });

/** `memory_versions` */
export const versionRow = tableCodec('memory_versions', {
  scope: text,
  scope_id: text,
  path: text,
  version: integer,
  content: nullable(text),
  bytes: integer,
  untrusted: flag,
  private: flag,
  author: text,
  task_id: nullable(text),
  created_at: integer,
});

/** A version without its content. */
export const versionHead = versionRow.pick('path, version, bytes, untrusted, private, author, task_id, created_at');

/** Matches the rows of one store, with the alias or table name in front. */
export function inStore({ accountId, scope, scopeId }: MemoryKey, alias = ''): { where: string; params: SqlValue[] } {
  const at = alias === '' ? '' : `${alias}.`;
  return { where: `${at}account_id = ? AND ${at}scope = ? AND ${at}scope_id = ?`, params: [accountId, scope, scopeId] };
}

/** The key of a store as columns. */
export function storeColumns({ accountId, scope, scopeId }: MemoryKey) {
  return { account_id: accountId, scope, scope_id: scopeId };
}

const owners = { project: 'projects', agent: 'agents' } as const;

/** Throws 404 unless the account has the project or agent. */
export function* checkOwner({ accountId, scope, scopeId }: MemoryKey): Script<void> {
  if (scope === 'account') return;
  if (!(yield* findRow('id', owners[scope], { account_id: accountId, id: scopeId }))) {
    throw new Fault('not_found', `${scope} not found`);
  }
}

/** 404 for a file, or a version of one, that does not exist. */
export function memoryNotFound(): Fault {
  return new Fault('not_found', 'memory file not found');
}
