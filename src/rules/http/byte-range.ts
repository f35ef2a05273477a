/** A range of bytes, both ends included. */
export interface Stretch {
  start: number;
  end: number;
}

/**
 * The requested `Range` of a body of `bytes` (RFC 9110, 14): `all` for no range, an invalid one or several; `none` if it starts after
 * the end.
 */
export function readByteRange(header: string | undefined, bytes: number): Stretch | 'all' | 'none' {
  const found = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '');
  const [first, last] = [found?.[1] ?? '', found?.[2] ?? ''];
  if (first === '' && last === '') return 'all';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'none' : { start: bytes - length, end: bytes - 1 };
  }
  const [start, end] = [Number(first), last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)];
  if (last !== '' && Number(last) < start) return 'all';
  return start >= bytes ? 'none' : { start, end };
}

/** Whether one of the tags of an `If-None-Match` (or the one of an `If-Range`) is this one. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag);
}
