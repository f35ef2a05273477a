import { beginImport, dropImportedBlobs, endExportHold, holdForExport, importRows, noteExport } from './import-rows.ts';

/** Every operation on exports and imports of accounts. */
export const accountArchiveOperations = [holdForExport, endExportHold, noteExport, beginImport, importRows, dropImportedBlobs];
