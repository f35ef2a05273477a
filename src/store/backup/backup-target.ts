import type { Readable } from 'node:stream';

/** Storage for backups: a folder or a bucket. Keys are paths with slashes. */
export interface BackupTarget {
  /** The name shown to people. */
  readonly name: string;
  /** Stores an object durably and completely, or not at all; replaces an earlier one with the same key. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null if it does not exist. */
  open(key: string): Promise<Readable | null>;
  /** Null if it does not exist. */
  size(key: string): Promise<number | null>;
  /** The ids of all backups, finished or not, unordered. */
  listBackups(): Promise<string[]>;
  /** The keys of all objects below a key, including drafts left by a killed process, unordered. */
  list(key: string): Promise<string[]>;
  /** Does nothing if it does not exist. */
  remove(key: string): Promise<void>;
  /** Whether it contains nothing, as before the first backup. */
  isEmpty(): Promise<boolean>;
}

/** Prefix of the keys of all backups. */
export const backupsKey = 'backups';
