import { findArchived } from './archived-artifacts.ts';
import { claimDueCovers, recordCover } from './artifact-covers.ts';
import { createListCursor, deleteExpiredListCursors, turnPage } from './artifact-list-cursors.ts';
import { listArtifacts } from './artifact-list.ts';
import { getArtifact, updateArtifact } from './artifacts.ts';

/** Every operation on artifacts. */
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
