import type { EntryKind } from './archive-entry.ts';
import type { EntryRefusal } from './entry-path.ts';

/** The request to the thread. The caller keeps the descriptor open. */
export interface ArchiveQuestion {
  descriptor: number;
  bytes: number;
  format: 'zip' | 'tar' | 'gzip';
  /** The unpacked name of a single compressed file. */
  plainName: string;
  wants: 'list' | 'content';
}

export interface ListedEntry {
  name: string;
  kind: EntryKind;
  /** Size declared by the archive. */
  bytes: number;
}

export interface LeftOut {
  name: string;
  refusal: EntryRefusal;
}

export interface ArchiveAnswer {
  entries: ListedEntry[];
  leftOut: LeftOut[];
}

/** The content of one entry after another: its path, its bytes, its end. */
export type ArchivePiece = { path: string } | { chunk: Uint8Array } | 'end';
