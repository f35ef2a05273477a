import { type StorageLimits, usualStorageLimits } from '../rules/files/storage-quota.ts';
import { readInteger } from './setting-readers.ts';
import { setting } from './setting.ts';

const mebibyte = 1024 * 1024;
const { account, task } = usualStorageLimits;

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
  ERRAND_RETENTION_DAYS: setting<number | null>({
    about: 'Days after their end that tasks are deleted, with all that belongs to them.',
    fallback: null,
    fallbackText: 'none: they are kept',
    example: '90',
    read: readInteger(1, 36_500),
  }),
};

/** The limits that these settings name. */
export function readStorageLimits(
  values: Record<Exclude<keyof typeof storageSettings, 'ERRAND_RETENTION_DAYS'>, number>,
): StorageLimits {
  return {
    account: { bytes: values.ERRAND_ACCOUNT_STORAGE_MB * mebibyte, files: values.ERRAND_ACCOUNT_FILES },
    task: { bytes: values.ERRAND_TASK_STORAGE_MB * mebibyte, files: values.ERRAND_TASK_FILES },
  };
}
