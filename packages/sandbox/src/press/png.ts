import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const trueColor = 2;

function writeChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/**
 * A picture as poppler draws it (PPM) as PNG. Its own PNGs take eight times as long: it tries every filter on every row, which gains nothing
 * on pages of text.
 */
export function encodePng(ppm: Buffer): Buffer {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString('latin1', 0, 40));
  if (!head) throw new Error('the page could not be drawn');
  const [width, height] = [Number(head[1]), Number(head[2])];
  const pixels = ppm.subarray(head[0].length);
  const row = width * 3;
  // Each row begins with the number of its filter: none.
  const rows = Buffer.alloc(height * (row + 1));
  for (let at = 0; at < height; at++) pixels.copy(rows, at * (row + 1) + 1, at * row, (at + 1) * row);
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, trueColor], 8);
  return Buffer.concat([
    signature,
    writeChunk('IHDR', size),
    writeChunk('IDAT', deflateSync(rows)),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}
