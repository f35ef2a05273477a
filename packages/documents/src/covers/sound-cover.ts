import { Fault } from '@errand/base/fault.ts';
import type { CoverSize } from './page-cover.ts';
import { rasterSvg } from '../pictures/svg-raster.ts';

const bars = 80;
/** Samples per bar; more would not be visible. */
const samplesPerBar = 2_000;

interface Samples {
  count: number;
  /** Reads a sample as a number from -1 to 1. */
  read(index: number): number;
}

/** Samples of the first channel of a WAV file with 8 or 16 bit integers. */
function openWav(bytes: Buffer): Samples {
  let [channels, bits, format] = [0, 0, 0];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    const id = bytes.toString('latin1', at, at + 4);
    if (id === 'fmt ' && at + 24 <= bytes.length) {
      [format, channels, bits] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10), bytes.readUInt16LE(at + 22)];
    }
    if (id === 'data' && format === 1 && channels > 0 && (bits === 8 || bits === 16)) {
      const frame = (channels * bits) / 8;
      const start = at + 8;
      const count = Math.floor(Math.min(size, bytes.length - start) / frame);
      const read = (index: number) =>
        bits === 8 ? ((bytes[start + index * frame] ?? 128) - 128) / 128 : bytes.readInt16LE(start + index * frame) / 32_768;
      return { count, read };
    }
    at += 8 + size + (size % 2);
  }
  throw new Fault('invalid_argument', 'Recordings of this type cannot be drawn.');
}

function loudness({ count, read }: Samples, bar: number): number {
  const [from, to] = [Math.floor((bar * count) / bars), Math.floor(((bar + 1) * count) / bars)];
  const step = Math.max(1, Math.floor((to - from) / samplesPerBar));
  let peak = 0;
  for (let index = from; index < to; index += step) peak = Math.max(peak, Math.abs(read(index)));
  return peak;
}

/** The volume of a recording over time. Throws for silence. */
export function drawSound(content: Uint8Array, { width, height }: CoverSize): Uint8Array {
  const samples = openWav(Buffer.from(content.buffer, content.byteOffset, content.length));
  const peaks = Array.from({ length: bars }, (_, bar) => loudness(samples, bar));
  const loudest = Math.max(...peaks);
  if (!(loudest > 0.001)) throw new Fault('invalid_argument', 'The recording is silent.');
  const step = width / bars;
  const drawn = peaks.map((peak, bar) => {
    const half = Math.max(2, (peak / loudest) * height * 0.36);
    const x = bar * step + step * 0.2;
    return `<rect x="${x.toFixed(1)}" y="${(height / 2 - half).toFixed(1)}" width="${(step * 0.6).toFixed(1)}" height="${(2 * half).toFixed(1)}" rx="2"/>`;
  });
  const ground = `<rect width="${width}" height="${height}" fill="#f6f5f1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${ground}<g fill="#2f6b4f">${drawn.join('')}</g></svg>`;
  return rasterSvg(svg, 1, []);
}
