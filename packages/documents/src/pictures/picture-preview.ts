import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import { openPicture } from './picture-file.ts';

export interface ViewJob {
  /** The name under which the picture is requested. */
  path: string;
}

/** The resolution that providers use; they scale down larger pictures themselves, and charge for them. */
const longestSide = 1568;
/** Up to this size, pictures of pages and charts stay lossless PNGs; photographs become JPEGs. */
const largestPngBytes = 600_000;

/** Out of 255. */
const nearlyWhite = 217;
const nearlyBlack = 38;

/** What transparent pictures are shown on: dark if they are drawn for it, as they would not be seen on white. */
function chooseGround(pixels: Uint8Array): string {
  let [light, dark] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < 128) continue;
    const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    if (brightness > nearlyWhite) light++;
    else if (brightness < nearlyBlack) dark++;
  }
  return light > dark ? '#111827' : '#ffffff';
}

/** A picture in the form shown to models: upright, opaque, bounded in size, and in a format that every provider accepts. */
export async function makeView({ path }: ViewJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const { image } = await openPicture(await readFile(path), path);
  const sized = image
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const { hasAlpha } = await image.metadata();
  const background = hasAlpha ? chooseGround(await sized.clone().ensureAlpha().raw().toBuffer()) : '#ffffff';
  const opaque = sized.flatten({ background });
  const png = await opaque.clone().png({ compressionLevel: 8 }).toBuffer();
  if (png.length <= largestPngBytes) return { files: [{ path, bytes: png }], notes: [] };
  const jpeg = await opaque.jpeg({ quality: 80 }).toBuffer();
  return { files: [{ path, bytes: jpeg }], notes: [] };
}
