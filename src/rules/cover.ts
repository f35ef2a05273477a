import type { Attachment, StoredFile } from './task-event.ts';

/** How the cover of a file is made; a site has one as well. */
export type CoverKind =
  | 'picture'
  | 'pdf'
  | 'markdown'
  | 'text'
  | 'word'
  | 'workbook'
  | 'table'
  | 'slides'
  | 'deck'
  | 'page'
  | 'sound';

const office = 'application/vnd.openxmlformats-officedocument';
const openOffice = 'application/vnd.oasis.opendocument';

const kinds: Readonly<Record<Exclude<CoverKind, 'deck'>, readonly string[]>> = {
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
};

const kindByType = new Map(
  Object.entries(kinds).flatMap(([kind, types]) => types.map((type) => [type, kind as CoverKind] as const)),
);

/** A larger file has no cover. */
export const coveredBytes = 50 * 1024 * 1024;

/** Whether a cover may be made for a file, where the machine has what that takes. */
export function canBeCovered({ contentType, bytes }: Attachment): boolean {
  return kindByType.has(contentType) && bytes > 0 && bytes <= coveredBytes;
}

/**
 * What a cover is made of, and how; null for none. Pages are looked at in a browser, so without one there are none of them, and a
 * deck shows the words of its first slide instead.
 */
export function chooseCover(attachment: Attachment, hasBrowser: boolean): { file: StoredFile; kind: CoverKind } | null {
  const { forms } = attachment;
  const file = forms ? (hasBrowser ? forms.html : forms.pptx) : attachment;
  const kind = forms && hasBrowser ? 'deck' : kindByType.get(file.contentType);
  if (kind === undefined || file.bytes > coveredBytes || (kind === 'page' && !hasBrowser)) return null;
  return { file, kind };
}
