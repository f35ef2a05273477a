import { expectBlob, deleteBlobRecords, isBlobNeeded, takeUnneededBlobs } from './blob-references.ts';

/** Every operation on blobs. */
export const blobOperations = [expectBlob, deleteBlobRecords, takeUnneededBlobs, isBlobNeeded];
