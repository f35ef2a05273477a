import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.ts';

describe('a picture of a page as PNG', () => {
  it('has every pixel that was drawn', async () => {
    const [width, height] = [31, 17];
    const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 37) % 256));
    const png = encodePng(Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]));
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width, height, channels: 3 });
    expect(data.equals(pixels)).toBe(true);
  });

  it('is refused if nothing was drawn', () => {
    expect(() => encodePng(Buffer.alloc(0))).toThrow('could not be drawn');
  });
});
