import {
  expectBlob,
  deleteBlobRecords,
  findUnmeasuredBlobs,
  forgetBlob,
  isBlobNeeded,
  takeUnneededBlobs,
} from './blob-references.ts';
import { readStorageUse, readWorkspaceUse, reconcileStorageUse, recordBlob, recordWorkspaceUse } from './storage-use.ts';

/** Every operation on blobs, and on what accounts store. */
export const blobOperations = [
  expectBlob,
  deleteBlobRecords,
  takeUnneededBlobs,
  forgetBlob,
  isBlobNeeded,
  findUnmeasuredBlobs,
  recordBlob,
  readStorageUse,
  readWorkspaceUse,
  recordWorkspaceUse,
  reconcileStorageUse,
];
