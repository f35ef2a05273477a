import { findArchived } from './archived-artifacts.ts';
import { claimDueCovers, recordCover } from './artifact-covers.ts';
import { beginTraversal, forgetTraversals, turnPage } from './artifact-list-cursors.ts';
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
  beginTraversal,
  turnPage,
  forgetTraversals,
];
