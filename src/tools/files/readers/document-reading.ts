import type { FileKind } from '../text/file-kind.ts';

/** What is to be read, as it crosses to the thread. */
export interface ReadingQuestion {
  /** The bytes themselves, or a file that is held open until the answer is there. */
  source: Uint8Array | { descriptor: number; bytes: number };
  kind: FileKind;
  /** Of a page: where it came from, and what its server says of it. */
  url?: string;
  contentType?: string;
}

/** The text of a document and what it is, in a few words: `PDF, 12 pages`. */
export interface Reading {
  what: string;
  text: string;
}

/** Longer texts are cut: nobody reads on after so much, and the thread has to hold it. */
export const longestReading = 4_000_000;
