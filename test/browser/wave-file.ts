const rate = 8000;

/** A sound file of one channel; `sampleAt` is a byte at a position, of which there are 8,000 a second. */
export function makeWave(seconds: number, sampleAt: (second: number) => number): Buffer {
  const count = seconds * rate;
  const bytes = Buffer.alloc(44 + count);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + count, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(count, 40);
  for (let at = 0; at < count; at++) bytes[44 + at] = 128 + Math.round(60 * sampleAt(at / rate));
  return bytes;
}
