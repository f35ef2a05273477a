import type { FileKind } from '../text/file-kind.ts';

/** A reading job, as sent to the thread. */
export interface ReadingQuestion {
  /** The bytes, or a file that stays open until the response arrives. */
  source: Uint8Array | { descriptor: number; bytes: number };
  kind: FileKind;
  /** For a page: its URL, and the content type reported by its server. */
  url?: string;
  contentType?: string;
  /** For a workbook: the only sheet to read, as comma-separated values; '' is the first sheet. */
  sheet?: string;
}

/** The text of a document and a short description: `PDF, 12 pages`. */
export interface Reading {
  what: string;
  text: string;
}

/** Longer texts are cut: nobody reads that far, and the thread has to hold it. */
export const longestReading = 4_000_000;
