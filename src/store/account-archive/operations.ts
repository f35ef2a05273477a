import { endArchiveHold, holdForArchive } from './archive-holds.ts';
import { dropImportedBlobs, expectImportedBlob, takeImportedBlobs } from './import-blobs.ts';
import { beginImport, importRows, noteExport } from './import-rows.ts';

/** Every operation on exports and imports of accounts. */
export const accountArchiveOperations = [
  holdForArchive,
  endArchiveHold,
  noteExport,
  beginImport,
  importRows,
  expectImportedBlob,
  takeImportedBlobs,
  dropImportedBlobs,
];
