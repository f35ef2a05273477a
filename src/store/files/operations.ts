import { completeUpload, createFile, deleteFile, expireFiles, getFile, listRecentFiles, prepareUpload } from './files.ts';

/** The operations on files that the database thread knows. */
export const fileOperations = [completeUpload, createFile, deleteFile, expireFiles, getFile, listRecentFiles, prepareUpload];
