import { findId3End, readId3 } from './id3-tags.ts';
import { cleanTags, type MediaFacts, secondsOf } from './media-facts.ts';

/** Kilobits per second by header index: layers III and II of MPEG-1, and both of MPEG-2. */
const bitrates = {
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const rates = [44_100, 48_000, 32_000];

interface Frame {
  at: number;
  isFirstVersion: boolean;
  layer: 2 | 3;
  bitrate: number;
  rate: number;
  channels: number;
  samples: number;
}

function readFrame(bytes: Buffer, at: number): Frame | null {
  const [sync = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  const [version, layerBits] = [(second >> 3) & 3, (second >> 1) & 3];
  if (sync !== 0xff || second < 0xe0 || version === 1 || (layerBits !== 1 && layerBits !== 2)) return null;
  const layer = layerBits === 1 ? 3 : 2;
  const isFirstVersion = version === 3;
  const bitrate = (isFirstVersion ? bitrates[layer] : bitrates.low)[third >> 4];
  const rate = (rates[(third >> 2) & 3] ?? 0) / (isFirstVersion ? 1 : version === 2 ? 2 : 4);
  if (!bitrate || rate === 0) return null;
  const samples = layer === 3 && !isFirstVersion ? 576 : 1152;
  return { at, isFirstVersion, layer, bitrate, rate, channels: fourth >> 6 === 3 ? 1 : 2, samples };
}

const searched = 64 * 1024;

function findFrame(bytes: Buffer, from: number): Frame | null {
  for (let at = from; at < Math.min(bytes.length - 4, from + searched); at++) {
    const frame = readFrame(bytes, at);
    if (frame) return frame;
  }
  return null;
}

/** Number of frames according to the first of them, if the encoder stored it. */
function readCount(bytes: Buffer, { at, isFirstVersion, channels }: Frame): number | null {
  const side = isFirstVersion ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const mark = at + 4 + side;
  if (mark + 12 > bytes.length || !/^(Xing|Info)$/.test(bytes.toString('latin1', mark, mark + 4))) return null;
  return bytes.readUInt32BE(mark + 4) % 2 === 1 ? bytes.readUInt32BE(mark + 8) : null;
}

export function readMpeg(bytes: Buffer): MediaFacts {
  const tags = cleanTags(readId3(bytes));
  const frame = findFrame(bytes, findId3End(bytes));
  if (!frame) return { format: 'MP3', ...tags };
  const count = readCount(bytes, frame);
  const length =
    count === null
      ? secondsOf((bytes.length - frame.at) * 8, frame.bitrate * 1000)
      : secondsOf(count * frame.samples, frame.rate);
  return { format: frame.layer === 3 ? 'MP3' : 'MPEG layer II', rate: frame.rate, channels: frame.channels, ...length, ...tags };
}

const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/** Counts the frames, whose headers give their lengths. */
export function readAac(bytes: Buffer): MediaFacts {
  const rate = aacRates[((bytes[2] ?? 0) >> 2) & 0xf] ?? 0;
  let frames = 0;
  for (let at = 0; at + 7 <= bytes.length && bytes[at] === 0xff; frames++) {
    const length = (((bytes[at + 3] ?? 0) & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
    if (length < 7) break;
    at += length;
  }
  return { format: 'AAC', rate, ...secondsOf(frames * 1024, rate) };
}
