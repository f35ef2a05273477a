import {
  expectBlob,
  deleteBlobRecords,
  findUnmeasuredBlobs,
  deleteUnusedBlob,
  isBlobNeeded,
  takeUnneededBlobs,
} from './blob-references.ts';
import { correctStorageUse, deleteOrphanedUse, findNextAccount, measureDrift } from './storage-drift.ts';
import { readStorageUse, readWorkspaceUse, recordBlob, recordWorkspaceUse } from './storage-use.ts';

/** Every operation on blobs, and on what accounts store. */
export const blobOperations = [
  expectBlob,
  deleteBlobRecords,
  takeUnneededBlobs,
  deleteUnusedBlob,
  isBlobNeeded,
  findUnmeasuredBlobs,
  recordBlob,
  readStorageUse,
  readWorkspaceUse,
  recordWorkspaceUse,
  findNextAccount,
  deleteOrphanedUse,
  measureDrift,
  correctStorageUse,
];
