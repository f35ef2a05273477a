import { completeUpload, createFile, deleteFile, expireFiles, getFile, listRecentFiles, prepareUpload } from './files.ts';

/** Every operation on uploaded files. */
export const fileOperations = [completeUpload, createFile, deleteFile, expireFiles, getFile, listRecentFiles, prepareUpload];
