import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeView } from './picture-preview.ts';

async function view(bytes: Uint8Array): Promise<{ format: string | undefined; width: number; height: number; bytes: number }> {
  const { files } = await makeView({ path: 'a' }, () => Promise.resolve(bytes));
  const made = files[0]?.bytes ?? new Uint8Array();
  const { format, width, height } = await sharp(made).metadata();
  return { format, width, height, bytes: made.length };
}

function noise(width: number, height: number): Promise<Buffer> {
  const create = {
    width,
    height,
    channels: 3 as const,
    background: '#fff',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  };
  return sharp({ create }).png().toBuffer();
}

describe('an image for a model', () => {
  it('has a limited size, and is a PNG for drawings and a JPEG for photographs', async () => {
    const drawn = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="1000"><rect width="90" height="90"/></svg>',
    );
    expect(await view(drawn)).toMatchObject({ format: 'png', width: 1568, height: 392 });
    const photo = await view(await noise(3000, 3000));
    expect(photo).toMatchObject({ format: 'jpeg', width: 1568, height: 1568 });
    expect(photo.bytes).toBeLessThan(3_700_000);
    expect(
      await view(
        await sharp(await noise(40, 20))
          .webp()
          .toBuffer(),
      ),
    ).toMatchObject({ format: 'png', width: 40, height: 20 });
  });

  it('is opaque, on a ground that its drawing can be seen on', async () => {
    const corner = async (ink: string) => {
      const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect x="40" y="20" width="20" height="20" fill="${ink}"/></svg>`;
      const { files } = await makeView({ path: 'a' }, () => Promise.resolve(Buffer.from(drawing)));
      const { data, info } = await sharp(files[0]?.bytes).raw().toBuffer({ resolveWithObject: true });
      return [info.channels, ...data.subarray(0, 3)];
    };
    expect(await corner('#1a1a1a')).toEqual([3, 255, 255, 255]);
    expect(await corner('#0f4c75')).toEqual([3, 255, 255, 255]);
    expect(await corner('#f4f4f4')).toEqual([3, 17, 24, 39]);
  });

  it('does not exist for files that are not images or decode to too many pixels', async () => {
    await expect(view(Buffer.from('%PDF-1.7'))).rejects.toThrow('is no picture');
    const bomb = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>');
    await expect(view(bomb)).rejects.toThrow('pixels');
  });
});
