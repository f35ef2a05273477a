import type { Readable } from 'node:stream';

/** Where backups are: a folder or a bucket. Keys are paths with slashes. */
export interface BackupTarget {
  /** As people name it. */
  readonly name: string;
  /** Stores a whole object durably, or none; replaces one of the same key. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null if it does not exist. */
  open(key: string): Promise<Readable | null>;
  /** Null if it does not exist. */
  size(key: string): Promise<number | null>;
  /** The backups that were begun, unordered. */
  listBackups(): Promise<string[]>;
  /** The keys of all objects below a key, and of drafts that a killed process left there, unordered. */
  list(key: string): Promise<string[]>;
  /** Does nothing if it does not exist. */
  remove(key: string): Promise<void>;
  /** Whether nothing is in it, as before the first backup. */
  isEmpty(): Promise<boolean>;
}

/** All that belongs to one backup is below this key. */
export const backupsKey = 'backups';
