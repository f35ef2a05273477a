import { cleanTags, type MediaFacts, secondsOf } from './media-facts.ts';

/** Tag names by their four-letter codes. */
const tagNames: Record<string, string> = { INAM: 'title', IART: 'artist', IPRD: 'album', ICRD: 'date', ICMT: 'comment' };

interface Chunk {
  id: string;
  at: number;
  size: number;
}

/** Consecutive chunks, each padded to an even length. Every step advances. */
function* listChunks(bytes: Buffer, from: number, isBigEndian = false): Generator<Chunk> {
  for (let at = from; at + 8 <= bytes.length; ) {
    const size = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    yield { id: bytes.toString('latin1', at, at + 4), at: at + 8, size: Math.min(size, bytes.length - at - 8) };
    at += 8 + size + (size % 2);
  }
}

function* readInfo(bytes: Buffer, { at, size }: Chunk): Generator<[string, string]> {
  for (const chunk of listChunks(bytes.subarray(0, at + size), at + 4)) {
    const name = tagNames[chunk.id];
    if (name) yield [name, bytes.toString('utf8', chunk.at, chunk.at + chunk.size)];
  }
}

export function readWav(bytes: Buffer): MediaFacts {
  let facts: MediaFacts = { format: 'WAV' };
  let byteRate = 0;
  for (const chunk of listChunks(bytes, 12)) {
    if (chunk.id === 'fmt ' && chunk.size >= 16) {
      byteRate = bytes.readUInt32LE(chunk.at + 8);
      facts = { ...facts, channels: bytes.readUInt16LE(chunk.at + 2), rate: bytes.readUInt32LE(chunk.at + 4) };
    } else if (chunk.id === 'data') facts = { ...facts, ...secondsOf(chunk.size, byteRate) };
    else if (chunk.id === 'LIST') facts = { ...facts, ...cleanTags(readInfo(bytes, chunk)) };
  }
  return facts;
}

/** An 80-bit float, which AIFF uses for the sample rate. */
function readExtended(bytes: Buffer, at: number): number {
  const exponent = bytes.readUInt16BE(at) - 16_383 - 31;
  return bytes.readUInt32BE(at + 2) * 2 ** exponent;
}

export function readAiff(bytes: Buffer): MediaFacts {
  for (const { id, at, size } of listChunks(bytes, 12, true)) {
    if (id !== 'COMM' || size < 18) continue;
    const rate = readExtended(bytes, at + 8);
    return { format: 'AIFF', channels: bytes.readUInt16BE(at), rate, ...secondsOf(bytes.readUInt32BE(at + 2), rate) };
  }
  return { format: 'AIFF' };
}
