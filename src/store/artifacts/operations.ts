import { findArchived } from './archived-artifacts.ts';
import { claimDueCovers, recordCover } from './artifact-covers.ts';
import { createListCursor, deleteExpiredListCursors, turnPage } from './artifact-list-cursors.ts';
import { listArtifacts } from './artifact-list.ts';
import { getArtifact, updateArtifact } from './artifacts.ts';

/** The operations on artifacts that the database thread knows. */
export const artifactOperations = [
  claimDueCovers,
  recordCover,
  listArtifacts,
  getArtifact,
  updateArtifact,
  findArchived,
  createListCursor,
  turnPage,
  deleteExpiredListCursors,
];
