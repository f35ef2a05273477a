import { type MediaFacts, secondsOf } from './media-facts.ts';

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  duration: 0x4489,
  scale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  entry: 0xae,
  type: 0x83,
};
const opened = new Set([ids.segment, ids.info, ids.tracks, ids.entry]);
/** What follows the header is the recording itself. */
const searched = 256 * 1024;
const usualScale = 1_000_000;

/** The size of a variable-length number, from its leading zeros. */
function widthAt(bytes: Buffer, at: number): number {
  return Math.clz32(bytes[at] ?? 0) - 23;
}

function readSize(bytes: Buffer, at: number, width: number): number {
  let value = (bytes[at] ?? 0) & (0xff >> width);
  for (let index = 1; index < width; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

/** The elements of the header in order; containers are descended into. */
function* listElements(bytes: Buffer): Generator<{ id: number; at: number; size: number }> {
  const end = Math.min(bytes.length, searched);
  for (let at = 0; at < end; ) {
    const idWidth = widthAt(bytes, at);
    if (idWidth > 4 || at + idWidth >= end) return;
    const id = bytes.readUIntBE(at, idWidth);
    const sizeWidth = widthAt(bytes, at + idWidth);
    if (sizeWidth > 8) return;
    const start = at + idWidth + sizeWidth;
    const size = readSize(bytes, at + idWidth, sizeWidth);
    if (!opened.has(id) && start + size <= end) yield { id, at: start, size };
    at = opened.has(id) ? start : start + size;
  }
}

export function readWebm(bytes: Buffer): MediaFacts {
  let [scale, duration, hasPicture] = [usualScale, Number.NaN, false];
  for (const { id, at, size } of listElements(bytes)) {
    if (id === ids.scale && size >= 1 && size <= 6) scale = bytes.readUIntBE(at, size);
    if (id === ids.duration && size === 8) duration = bytes.readDoubleBE(at);
    if (id === ids.duration && size === 4) duration = bytes.readFloatBE(at);
    if (id === ids.type && size === 1 && bytes[at] === 1) hasPicture = true;
  }
  const format = bytes.subarray(0, 64).includes('matroska') ? 'Matroska' : 'WebM';
  return { format, hasPicture, ...secondsOf(duration * scale, 1e9) };
}
