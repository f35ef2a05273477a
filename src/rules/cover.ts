import type { Attachment } from './task-event.ts';

/** Formats that a small picture can be made of, and how large a file may be for it. */
const coveredTypes = new Set([
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/tiff', 'image/svg+xml'],
  'application/pdf',
]);
export const coveredBytes = 50 * 1024 * 1024;

/** Whether a cover is made for a file. */
export function canBeCovered({ contentType, bytes }: Attachment): boolean {
  return coveredTypes.has(contentType) && bytes > 0 && bytes <= coveredBytes;
}
