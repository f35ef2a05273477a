import type { Attachment, StoredFile } from '../events/task-event.ts';

/** How the cover of a file is created; a site has one as well. */
export type CoverKind =
  | 'picture'
  | 'pdf'
  | 'markdown'
  | 'text'
  | 'converted'
  | 'word'
  | 'workbook'
  | 'table'
  | 'slides'
  | 'deck'
  | 'page'
  | 'sound'
  | 'film'
  | 'recording'
  | 'still';

const office = 'application/vnd.openxmlformats-officedocument';
const openOffice = 'application/vnd.oasis.opendocument';

const kinds: Readonly<Record<Exclude<CoverKind, 'deck'>, readonly string[]>> = {
  converted: ['application/msword', 'application/rtf', 'application/vnd.ms-powerpoint', `${openOffice}.presentation`],
  picture: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/svg+xml'],
  pdf: ['application/pdf'],
  markdown: ['text/markdown'],
  text: ['text/plain'],
  word: [`${office}.wordprocessingml.document`, `${openOffice}.text`],
  workbook: [`${office}.spreadsheetml.sheet`, `${openOffice}.spreadsheet`, 'application/vnd.ms-excel'],
  table: ['text/csv', 'text/tab-separated-values'],
  slides: [`${office}.presentationml.presentation`],
  page: ['text/html'],
  sound: ['audio/wav'],
  film: [
    ...['video/mp4', 'video/webm', 'video/quicktime', 'video/mpeg'],
    ...['video/x-matroska', 'video/x-msvideo', 'video/x-ms-wmv'],
  ],
  recording: [
    ...['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/opus', 'audio/flac', 'audio/aac', 'audio/webm'],
    ...['audio/aiff', 'audio/x-ms-wma'],
  ],
  still: ['image/bmp', 'image/heic', 'image/x-icon'],
};

const kindByType = new Map(
  Object.entries(kinds).flatMap(([kind, types]) => types.map((type) => [type, kind as CoverKind] as const)),
);

/** A larger file has no cover. */
export const coveredBytes = 50 * 1024 * 1024;

/** Whether a file may have a cover, given the machine's programs. */
export function canBeCovered({ contentType, bytes }: Attachment): boolean {
  return kindByType.has(contentType) && bytes > 0 && bytes <= coveredBytes;
}

/** The programs of a machine for rendering files. */
export interface CoverMeans {
  hasBrowser: boolean;
  hasOffice: boolean;
  hasFfmpeg: boolean;
}

/** Types that need a program, and which one. */
const neededMeans: Partial<Record<CoverKind, keyof CoverMeans>> = {
  ...{ page: 'hasBrowser', converted: 'hasOffice' },
  ...{ film: 'hasFfmpeg', recording: 'hasFfmpeg', still: 'hasFfmpeg' },
};

/** Kinds whose first page or slide needs an office program; otherwise the cover shows only text. */
const convertedKinds: ReadonlySet<CoverKind | undefined> = new Set(['converted', 'slides', 'word']);

/**
 * The source of a cover, and how to create it; null for none. Pages need a browser; without one they have no cover, and a deck shows
 * its first slide, or its text, instead.
 */
export function chooseCover(attachment: Attachment, means: CoverMeans): { file: StoredFile; kind: CoverKind } | null {
  const { forms } = attachment;
  const { hasBrowser, hasOffice } = means;
  const file = forms ? (hasBrowser ? forms.html : forms.pptx) : attachment;
  const known = forms && hasBrowser ? 'deck' : kindByType.get(file.contentType);
  const kind = hasOffice && convertedKinds.has(known) ? 'converted' : known;
  if (kind === undefined || file.bytes > coveredBytes) return null;
  const needed = neededMeans[kind];
  return needed && !means[needed] ? null : { file, kind };
}
