import { Fault } from '@errand/base/fault.ts';
import type { StorageQuotas } from '../accounts/account-status.ts';

/** What something takes: bytes, and files and folders. */
export interface StorageUse {
  bytes: number;
  files: number;
}

export interface StorageLimits {
  /** Uploads, artifacts, workspaces, and their copies together. */
  account: StorageUse;
  /** The workspace of one task. */
  task: StorageUse;
}

const mebibyte = 1024 * 1024;

export const usualStorageLimits: StorageLimits = {
  account: { bytes: 20_480 * mebibyte, files: 1_000_000 },
  task: { bytes: 2048 * mebibyte, files: 200_000 },
};

/** The limit of an account: its own quotas, else those of the instance. */
export function limitOf(usual: StorageUse, { maxBytes, maxFiles }: StorageQuotas): StorageUse {
  return { bytes: maxBytes ?? usual.bytes, files: maxFiles ?? usual.files };
}

/** What stores nothing. */
export const noUse: StorageUse = { bytes: 0, files: 0 };

/** The sum of two uses. */
export function addUse(one: StorageUse, other: StorageUse): StorageUse {
  return { bytes: one.bytes + other.bytes, files: one.files + other.files };
}

/** Whether a use is above a limit in bytes or files. */
export function isAbove(use: StorageUse, limit: StorageUse): boolean {
  return use.bytes > limit.bytes || use.files > limit.files;
}

/** `2048 MB or 200000 files` */
export function describeUse({ bytes, files }: StorageUse): string {
  return `${Math.round(bytes / mebibyte)} MB or ${files} files`;
}

/** 429 for an account that stores as much as it may. */
export function storageFull(limit: StorageUse): Fault {
  const text = `The files, artifacts, and workspaces of this account would take more than ${describeUse(limit)}. Delete files or tasks, then try again.`;
  return new Fault('resource_exhausted', text);
}
