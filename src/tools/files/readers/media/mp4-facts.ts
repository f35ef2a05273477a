import { cleanTags, type MediaFacts, secondsOf } from './media-facts.ts';

interface Box {
  type: string;
  at: number;
  end: number;
}

/** The boxes between two offsets. Every step advances. */
function* listBoxes(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const short = bytes.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    if (at + head > to) return;
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    if (size < head) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), at: at + head, end: Math.min(at + size, to) };
    at += size;
  }
}

function findBox(bytes: Buffer, from: number, to: number, ...path: string[]): Box | null {
  const [type, ...rest] = path;
  for (const box of listBoxes(bytes, from, to)) {
    if (box.type !== type) continue;
    // A meta box has a version before its content.
    const inside = box.type === 'meta' ? box.at + 4 : box.at;
    return rest.length === 0 ? box : findBox(bytes, inside, box.end, ...rest);
  }
  return null;
}

function readLength(bytes: Buffer, { at, end }: Box): { seconds?: number } {
  const isLong = bytes[at] === 1;
  if (at + (isLong ? 32 : 20) > end) return {};
  const scale = bytes.readUInt32BE(at + (isLong ? 20 : 12));
  return secondsOf(isLong ? Number(bytes.readBigUInt64BE(at + 24)) : bytes.readUInt32BE(at + 16), scale);
}

const tagNames: Record<string, string> = {
  '\u00a9nam': 'title',
  '\u00a9ART': 'artist',
  '\u00a9alb': 'album',
  '\u00a9day': 'date',
};

function* readTags(bytes: Buffer, list: Box): Generator<[string, string]> {
  for (const { type, at, end } of listBoxes(bytes, list.at, list.end)) {
    const name = tagNames[type];
    const data = name === undefined ? null : findBox(bytes, at, end, 'data');
    if (name !== undefined && data) yield [name, bytes.toString('utf8', data.at + 8, Math.min(data.end, data.at + 2000))];
  }
}

/** The dimensions of a video: they are at the end of its track header. */
function readPicture(bytes: Buffer, movie: Box): Partial<MediaFacts> {
  for (const track of listBoxes(bytes, movie.at, movie.end)) {
    if (track.type !== 'trak') continue;
    const handler = findBox(bytes, track.at, track.end, 'mdia', 'hdlr');
    const head = findBox(bytes, track.at, track.end, 'tkhd');
    if (!handler || !head || bytes.toString('latin1', handler.at + 8, handler.at + 12) !== 'vide') continue;
    if (head.end - head.at < 84) return { hasPicture: true };
    return { hasPicture: true, width: bytes.readUInt16BE(head.end - 8), height: bytes.readUInt16BE(head.end - 4) };
  }
  return {};
}

export function readMp4(bytes: Buffer): MediaFacts {
  const movie = findBox(bytes, 0, bytes.length, 'moov');
  if (!movie) return { format: 'MP4' };
  const head = findBox(bytes, movie.at, movie.end, 'mvhd');
  const list = findBox(bytes, movie.at, movie.end, 'udta', 'meta', 'ilst');
  const length = head ? readLength(bytes, head) : {};
  return { format: 'MP4', ...length, ...readPicture(bytes, movie), ...(list ? cleanTags(readTags(bytes, list)) : {}) };
}
