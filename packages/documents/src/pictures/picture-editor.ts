import sharp, { type Sharp } from 'sharp';
import { invalidField } from '@errand/base/fault.ts';
import type { GeneratorOutcome, ReadFile } from '../generator-outcome.ts';
import type { EditJob, EditOperation, PictureFormat } from './picture-edit-spec.ts';
import { drawBox, drawText } from './picture-drawing.ts';
import { mostPixels, openPicture } from './picture-file.ts';

/** Pixels are uncompressed between operations, four bytes each and twice at a time. */
const mostEditPixels = 32_000_000;

/** A picture between two operations: raw pixels, so that each operation sees the result of the previous one. */
interface Canvas {
  pixels: Buffer;
  width: number;
  height: number;
}

function open({ pixels, width, height }: Canvas): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 4 }, limitInputPixels: mostPixels });
}

async function toCanvas(image: Sharp): Promise<Canvas> {
  const { data, info } = await image.ensureAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

function need<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value;
  throw invalidField(field, 'is missing for this operation.');
}

function checkPixels(width: number, height: number): void {
  if (width * height > mostEditPixels) throw invalidField('width', `the picture would have more than ${mostEditPixels} pixels.`);
}

function resize(canvas: Canvas, { width, height, fit = 'inside' }: EditOperation): Sharp {
  if (width === undefined && height === undefined) throw invalidField('width', 'give width, height or both.');
  const ratio = canvas.width / canvas.height;
  checkPixels(width ?? (height ?? 0) * ratio, height ?? (width ?? 0) / ratio);
  const sides = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
  return open(canvas).resize({ ...sides, fit, background: { r: 0, g: 0, b: 0, alpha: 0 } });
}

function crop(canvas: Canvas, { left = 0, top = 0, width, height }: EditOperation): Sharp {
  const area = { left, top, width: need(width, 'width'), height: need(height, 'height') };
  const isInside = left >= 0 && top >= 0 && left + area.width <= canvas.width && top + area.height <= canvas.height;
  if (isInside) return open(canvas).extract(area);
  throw invalidField('left', `the part reaches out of the picture, which is ${canvas.width} by ${canvas.height} pixels now.`);
}

function adjust(canvas: Canvas, { brightness, saturation, hue, contrast, invert }: EditOperation): Sharp {
  const change = {
    ...(brightness === undefined ? {} : { brightness }),
    ...(saturation === undefined ? {} : { saturation }),
    ...(hue === undefined ? {} : { hue }),
  };
  let image = open(canvas);
  if (Object.keys(change).length > 0) image = image.modulate(change);
  // Around middle gray, and leaving transparency unchanged.
  if (contrast !== undefined)
    image = image.linear(
      [contrast, contrast, contrast, 1],
      [128, 128, 128, 0].map((grey) => grey * (1 - contrast)),
    );
  return invert ? image.negate({ alpha: false }) : image;
}

const shares = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 } as const;

/** The position of an object of this size, by coordinates or by a name such as bottom-right. */
function placeOf(
  canvas: Canvas,
  width: number,
  height: number,
  { left, top, at = 'center' }: EditOperation,
): { left: number; top: number } {
  const margin = at === 'center' ? 0 : Math.round(Math.min(canvas.width, canvas.height) * 0.03);
  const [vertical, horizontal] = at.includes('-')
    ? at.split('-')
    : at === 'left' || at === 'right'
      ? ['center', at]
      : [at, 'center'];
  const find = (available: number, share: number) => Math.round(margin + (available - 2 * margin) * share);
  const shareOf = (name: string | undefined) => shares[(name ?? 'center') as keyof typeof shares];
  return {
    left: left ?? find(canvas.width - width, shareOf(horizontal)),
    top: top ?? find(canvas.height - height, shareOf(vertical)),
  };
}

/** Overlays a picture on another, cropped at the edges. */
async function layUpon(canvas: Canvas, bytes: Uint8Array, operation: EditOperation): Promise<Sharp> {
  const { width, height } = await sharp(bytes).metadata();
  const { left, top } = placeOf(canvas, width, height, operation);
  const area = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    width: Math.min(width, canvas.width - left) - Math.max(0, -left),
    height: Math.min(height, canvas.height - top) - Math.max(0, -top),
  };
  if (area.width <= 0 || area.height <= 0)
    throw invalidField('left', `it would lie outside of the picture, which is ${canvas.width} by ${canvas.height} pixels.`);
  const cut = await sharp(bytes).extract(area).png().toBuffer();
  return open(canvas).composite([{ input: cut, left: Math.max(0, left), top: Math.max(0, top) }]);
}

async function readOverlay(
  canvas: Canvas,
  { image, width, height, opacity = 1 }: EditOperation,
  readFile: ReadFile,
): Promise<Uint8Array> {
  const path = need(image, 'image');
  const opened = await openPicture(await readFile(path), path);
  const sides = { width: width ?? canvas.width, height: height ?? canvas.height };
  const sized = opened.image.resize({ ...sides, fit: 'inside', withoutEnlargement: width === undefined && height === undefined });
  const pixels = await toCanvas(sized);
  return open(pixels).linear([1, 1, 1, opacity], [0, 0, 0, 0]).png().toBuffer();
}

async function apply(canvas: Canvas, operation: EditOperation, readFile: ReadFile): Promise<Sharp> {
  switch (operation.do) {
    case 'resize':
      return resize(canvas, operation);
    case 'crop':
      return crop(canvas, operation);
    case 'rotate':
      return open(canvas).rotate(need(operation.degrees, 'degrees'), { background: operation.color ?? '#00000000' });
    case 'flip':
      return operation.axis === 'vertical' ? open(canvas).flip() : open(canvas).flop();
    case 'adjust':
      return adjust(canvas, operation);
    case 'blur':
      return open(canvas).blur(operation.amount ?? 5);
    case 'sharpen':
      return open(canvas).sharpen();
    case 'text': {
      need(operation.text, 'text');
      return await layUpon(canvas, drawText(operation, Math.max(12, Math.round(canvas.height / 20))).bytes, operation);
    }
    case 'box': {
      need(operation.width, 'width');
      need(operation.height, 'height');
      return await layUpon(canvas, drawBox(operation).bytes, operation);
    }
    case 'overlay':
      return await layUpon(canvas, await readOverlay(canvas, operation, readFile), operation);
    case 'extend': {
      const { left = 0, top = 0, right = 0, bottom = 0, color = '#ffffff' } = operation;
      if (left < 0 || top < 0) throw invalidField('left', 'must not be negative for extend.');
      checkPixels(canvas.width + left + right, canvas.height + top + bottom);
      return open(canvas).extend({ left, top, right, bottom, background: color });
    }
  }
}

function encode(image: Sharp, format: PictureFormat, quality: number): Sharp {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 9 });
    case 'jpg':
    case 'jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true });
    case 'webp':
      return image.webp({ quality });
    case 'avif':
      return image.avif({ quality: Math.min(quality, 80), effort: 3 });
    case 'gif':
      return image.gif();
    case 'tiff':
      return image.tiff({ compression: 'lzw' });
  }
}

/** Applies operations in order. An impossible one is a Fault that names it. */
export async function editPicture(job: EditJob, readFile: ReadFile): Promise<GeneratorOutcome> {
  const { image, facts } = await openPicture(await readFile(job.image), job.image);
  checkPixels(facts.width, facts.height);
  let canvas: Canvas;
  try {
    canvas = await toCanvas(image);
  } catch {
    throw invalidField('image', `"${job.image}" is damaged and cannot be decoded.`);
  }
  for (const [at, operation] of job.operations.entries()) {
    try {
      canvas = await toCanvas(await apply(canvas, operation, readFile));
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'invalid_argument') throw error;
      throw invalidField(`operations.${at} (${operation.do})`, error.message);
    }
    checkPixels(canvas.width, canvas.height);
  }
  const { data, info } = await encode(open(canvas), job.format, job.quality).toBuffer({ resolveWithObject: true });
  return { files: [{ path: job.output, bytes: data }], notes: [`${info.width} by ${info.height} pixels.`] };
}
