import { expectBlob, deleteBlobRecords, isBlobNeeded, takeUnneededBlobs } from './blob-references.ts';

/** The operations on blobs that the database thread knows. */
export const blobOperations = [expectBlob, deleteBlobRecords, takeUnneededBlobs, isBlobNeeded];
