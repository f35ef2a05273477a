import { readAudioType } from '../../../rules/files/audio-head.ts';
import { isText } from './text-file.ts';

/** What a file is, detected by its first bytes; a package (zip) is identified by its content. */
export type FileKind = 'pdf' | 'package' | 'old-office' | 'tar' | 'gzip' | 'image' | 'audio' | 'video' | 'page' | 'unknown';

type Mark = readonly [kind: FileKind, offset: number, bytes: string];

/** Signatures of file types, as `latin1` because many of them are words. */
const marks: readonly Mark[] = [
  ['pdf', 0, '%PDF-'],
  ['package', 0, 'PK\u0003\u0004'],
  ['package', 0, 'PK\u0005\u0006'],
  ['old-office', 0, '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
  ['tar', 257, 'ustar'],
  ['gzip', 0, '\u001f\u008b'],
  ['image', 0, '\u0089PNG\r\n\u001a\n'],
  ['image', 0, '\u00ff\u00d8\u00ff'],
  ['image', 0, 'GIF8'],
  ['image', 8, 'WEBP'],
  ['image', 0, 'BM'],
  ['image', 0, 'II*\0'],
  ['image', 0, 'MM\0*'],
  ['audio', 4, 'ftypM4A'],
  ['image', 4, 'ftyphei'],
  ['image', 4, 'ftypavif'],
  ['video', 4, 'ftyp'],
  ['video', 0, '\u001aE\u00df\u00a3'],
  ['video', 8, 'AVI '],
];

export function findKind(bytes: Uint8Array): FileKind {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512));
  const start = head.toString('latin1');
  const known = marks.find(([, offset, mark]) => start.startsWith(mark, offset))?.[0];
  const kind = known ?? (readAudioType(head) === null ? 'unknown' : 'audio');
  // A text may begin with the same letters; of these formats only PDF can consist entirely of text.
  return kind !== 'pdf' && isText(head) ? 'unknown' : kind;
}
