import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readImageHead } from './image-head.ts';

const drawing = () => sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } });

it.each([
  ['image/png', () => drawing().png()],
  ['image/jpeg', () => drawing().jpeg()],
  ['image/jpeg', () => drawing().jpeg({ progressive: true }).withMetadata()],
  ['image/gif', () => drawing().gif()],
  ['image/webp', () => drawing().webp()],
  ['image/webp', () => drawing().webp({ lossless: true })],
  ['image/webp', () => drawing().ensureAlpha(0.5).webp()],
] as const)('of %s written by another program, kind and size are found', async (type, make) => {
  expect(readImageHead(await make().toBuffer())).toEqual({ type, width: 300, height: 200 });
});

it.each(['', 'GIF8', 'RIFF____WEBP', '<svg/>', '%PDF-1.7', '\u00ff\u00d8', 'hello'])('%j is not an image', (text) => {
  expect(readImageHead(Buffer.from(text, 'latin1'))).toBeNull();
});

it('reading an image header ends, whatever the bytes', () => {
  const heads = fc.constantFrom(
    '',
    '\xff\xd8',
    '\xff\xd8\xff\xe0\x00\x02',
    'RIFFxxxxWEBPVP8X',
    'GIF89a',
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  );
  fc.assert(
    fc.property(heads, fc.uint8Array({ maxLength: 300 }), (head, rest) => {
      const found = readImageHead(Buffer.concat([Buffer.from(head, 'latin1'), rest]));
      expect(found === null || Number.isInteger(found.width + found.height)).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(readImageHead(Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)]))).toBeNull();
});
