import { type StorageLimits, usualStorageLimits } from '../rules/files/storage-quota.ts';
import { readInteger } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

const mebibyte = 1024 * 1024;
const { account, task } = usualStorageLimits;

function readFolder(text: string): string {
  if (!text.startsWith('/') || /\p{Cc}/u.test(text)) throw new WrongValue('must be an absolute path');
  return text;
}

/** Limits of what accounts and tasks store, and for how long. */
export const storageSettings = {
  ERRAND_ACCOUNT_STORAGE_MB: setting({
    about: 'Maximum megabytes of uploads, artifacts, workspaces, and their copies of an account together.',
    fallback: account.bytes / mebibyte,
    example: '100000',
    read: readInteger(1, 1_000_000_000),
  }),
  ERRAND_ACCOUNT_FILES: setting({
    about: 'Maximum number of these files of an account, folders included.',
    fallback: account.files,
    example: '5000000',
    read: readInteger(1, 1_000_000_000),
  }),
  ERRAND_TASK_STORAGE_MB: setting({
    about: 'Maximum megabytes in the workspace of a task, and also of its results.',
    fallback: task.bytes / mebibyte,
    example: '4096',
    read: readInteger(1, 1_000_000_000),
  }),
  ERRAND_TASK_FILES: setting({
    about: 'Maximum number of files and folders in the workspace of a task, and also of its results.',
    fallback: task.files,
    example: '500000',
    read: readInteger(1, 1_000_000_000),
  }),
  ERRAND_WAL_TARGET: setting<string | null>({
    about: 'Folder on another disk that the write-ahead log of the embedded database is copied to, twice a second.',
    fallback: null,
    example: '/mnt/backup/errand-wal',
    read: readFolder,
  }),
  ERRAND_RETENTION_DAYS: setting<number | null>({
    about: 'Days after their end that tasks are deleted, with all that belongs to them.',
    fallback: null,
    fallbackText: 'none: they are kept',
    example: '90',
    read: readInteger(1, 36_500),
  }),
  ERRAND_PACK_DAYS: setting({
    about: 'Days without a change after which the workspace of a task is packed into an archive; `0`: never.',
    fallback: 7,
    example: '30',
    read: readInteger(0, 36_500),
  }),
};

/** Settings of how long something is kept, and as what. */
type KeepingSetting = 'ERRAND_RETENTION_DAYS' | 'ERRAND_WAL_TARGET' | 'ERRAND_PACK_DAYS';
const dayMs = 86_400_000;

/** The limits that these settings name. */
export function readStorageLimits(values: Record<Exclude<keyof typeof storageSettings, KeepingSetting>, number>): StorageLimits {
  return {
    account: { bytes: values.ERRAND_ACCOUNT_STORAGE_MB * mebibyte, files: values.ERRAND_ACCOUNT_FILES },
    task: { bytes: values.ERRAND_TASK_STORAGE_MB * mebibyte, files: values.ERRAND_TASK_FILES },
  };
}

export interface Keeping {
  /** How long tasks are kept after their end; null forever. */
  retentionMs: number | null;
  /** How long nothing happens to a task before its workspace is packed; null for never. */
  packMs: number | null;
  /** The folder that the write-ahead log of the embedded database is copied to; null for none. */
  walTarget: string | null;
}

/** How long tasks are kept, when their workspaces are packed, and where the write-ahead log is. */
export function readKeeping(values: {
  ERRAND_RETENTION_DAYS: number | null;
  ERRAND_PACK_DAYS: number;
  ERRAND_WAL_TARGET: string | null;
}): Keeping {
  const { ERRAND_RETENTION_DAYS: days, ERRAND_PACK_DAYS: packDays, ERRAND_WAL_TARGET: walTarget } = values;
  return {
    retentionMs: days === null ? null : days * dayMs,
    packMs: packDays === 0 ? null : packDays * dayMs,
    walTarget,
  };
}
