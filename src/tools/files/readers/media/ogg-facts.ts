import { cleanTags, type MediaFacts, secondsOf } from './media-facts.ts';
import { readVorbisComment } from './vorbis-comment.ts';

const headBytes = 64 * 1024;
/** Opus counts at this rate, whatever the input rate. */
const opusRate = 48_000;

/** The last page position. */
function readLastPosition(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf('OggS'); at > 0; at = bytes.lastIndexOf('OggS', at - 1)) {
    if (at + 14 > bytes.length) continue;
    const position = Number(bytes.readBigInt64LE(at + 6));
    if (position >= 0) return position;
  }
  return Number.NaN;
}

function readComments(head: Buffer, mark: string): { tags?: Record<string, string> } {
  const at = head.indexOf(mark, 0, 'latin1');
  return at === -1 ? {} : cleanTags(readVorbisComment(head, at + mark.length));
}

export function readOgg(bytes: Buffer): MediaFacts {
  const head = bytes.subarray(0, headBytes);
  const opus = head.indexOf('OpusHead');
  if (opus !== -1 && opus + 12 <= head.length) {
    const samples = readLastPosition(bytes) - head.readUInt16LE(opus + 10);
    return {
      format: 'Ogg Opus',
      channels: head[opus + 9] ?? 0,
      ...secondsOf(samples, opusRate),
      ...readComments(head, 'OpusTags'),
    };
  }
  const vorbis = head.indexOf('\u0001vorbis', 0, 'latin1');
  if (vorbis === -1 || vorbis + 16 > head.length) return { format: 'Ogg' };
  const rate = head.readUInt32LE(vorbis + 12);
  const about = { channels: head[vorbis + 11] ?? 0, rate, ...secondsOf(readLastPosition(bytes), rate) };
  return { format: 'Ogg Vorbis', ...about, ...readComments(head, '\u0003vorbis') };
}
