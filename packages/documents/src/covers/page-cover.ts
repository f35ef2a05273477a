import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { Fault } from '@errand/base/fault.ts';
import { mostPixels } from '../pictures/picture-file.ts';

export interface CoverSize {
  width: number;
  height: number;
}

/** The canvas for pdf.js, from its optional dependency; throws if that is not installed. */
interface CanvasFactory {
  create(width: number, height: number): { canvas: { toBuffer(type: 'image/png'): Uint8Array }; context: object };
}

/** The used part of a page; the package's types depend on browser types. */
interface Page {
  getViewport(options: { scale: number }): { width: number; height: number };
  render(options: { canvas: null; canvasContext: object; viewport: object }): { promise: Promise<void> };
}

/** Maximum size of an intermediate canvas, such as that of a pattern. */
const mostCanvasBytes = 64 * 1024 * 1024;

/** The folder of pdf.js, which has fonts for documents that name the standard ones without embedding them. */
function dataFolder(name: string): string {
  return `${join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), name)}/`;
}

/** The first page of a PDF as PNG. Rejects for invalid files, for password-protected ones, and for pages too large to draw. */
export async function drawFirstPage(bytes: Uint8Array, size: CoverSize): Promise<Uint8Array> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    useSystemFonts: false,
    // Letters are drawn as outlines: no untrusted font reaches native code.
    disableFontFace: true,
    canvasMaxAreaInBytes: mostCanvasBytes,
    stopAtErrors: false,
    maxImageSize: mostPixels,
    standardFontDataUrl: dataFolder('standard_fonts'),
    cMapUrl: dataFolder('cmaps'),
    cMapPacked: true,
    wasmUrl: dataFolder('wasm'),
  });
  try {
    const document = await task.promise;
    const page = (await document.getPage(1)) as unknown as Page;
    const whole = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: Math.min(size.width / whole.width, size.height / whole.height) });
    const [width, height] = [Math.floor(viewport.width), Math.floor(viewport.height)];
    if (!(width >= 1 && height >= 1)) throw new Fault('invalid_argument', 'The first page of the PDF has no extent.');
    const { canvas, context } = (document.canvasFactory as CanvasFactory).create(width, height);
    await page.render({ canvas: null, canvasContext: context, viewport }).promise;
    return canvas.toBuffer('image/png');
  } finally {
    await task.destroy();
  }
}
