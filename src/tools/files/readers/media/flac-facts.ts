import { cleanTags, type MediaFacts, secondsOf } from './media-facts.ts';
import { readVorbisComment } from './vorbis-comment.ts';

const [streamInfo, comment] = [0, 4];

export function readFlac(bytes: Buffer): MediaFacts {
  let facts: MediaFacts = { format: 'FLAC' };
  for (let at = 4; at + 4 <= bytes.length; ) {
    const head = bytes[at] ?? 0;
    const type = head & 0x7f;
    const start = at + 4;
    if (type === streamInfo && start + 18 <= bytes.length) {
      const packed = bytes.readBigUInt64BE(start + 10);
      const rate = Number(packed >> 44n);
      const samples = Number(packed & 0xf_ffff_ffffn);
      facts = { ...facts, rate, channels: Number((packed >> 41n) & 7n) + 1, ...(samples > 0 ? secondsOf(samples, rate) : {}) };
    } else if (type === comment) facts = { ...facts, ...cleanTags(readVorbisComment(bytes, start)) };
    if (head >= 0x80) break;
    at = start + bytes.readUIntBE(at + 1, 3);
  }
  return facts;
}
