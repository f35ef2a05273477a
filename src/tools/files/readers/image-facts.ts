import type { Reading } from './document-reading.ts';

/** The facts about an image without viewing it. */
export async function readImage(bytes: Uint8Array): Promise<Reading> {
  const { default: sharp } = await import('sharp');
  const { format, width, height, pages, hasAlpha } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const facts = [
    `${format} image`,
    `${width} × ${height} pixels`,
    ...(pages !== undefined && pages > 1 ? [`${pages} frames`] : []),
    ...(hasAlpha ? ['with transparency'] : []),
    `${bytes.length} bytes`,
  ];
  return { what: facts.join(', '), text: '' };
}
