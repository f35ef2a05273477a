import { TextLayer } from 'pdfjs-dist';
import type { Size } from '../panel/use-size.ts';
import type { PdfDocument } from './open-pdf.ts';

/** Maximum pixels of a canvas; larger pages are drawn at a lower resolution. */
const mostPixels = 16_000_000;

export interface Drawing {
  canvas: HTMLCanvasElement;
  /** The container of the text layer; null without text selection. */
  text: HTMLDivElement | null;
}

/** Draws a page with a text layer for selection and screen readers. Returns a function that cleans up. */
export function drawPage(
  { pdf }: PdfDocument,
  number: number,
  scale: number,
  { canvas, text }: Drawing,
  onSize?: (size: Size) => void,
): () => void {
  let isWanted = true;
  const ends: (() => void)[] = [];
  async function draw(): Promise<void> {
    const page = await pdf.getPage(number);
    if (!isWanted) return;
    const viewport = page.getViewport({ scale });
    onSize?.({ width: viewport.width / scale, height: viewport.height / scale });
    const sharpness = Math.min(window.devicePixelRatio || 1, Math.sqrt(mostPixels / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * sharpness);
    canvas.height = Math.floor(viewport.height * sharpness);
    const drawing = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] });
    ends.push(() => drawing.cancel());
    await drawing.promise;
    if (!isWanted || !text) return;
    text.replaceChildren();
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
    ends.push(() => layer.cancel());
    await layer.render();
  }
  // A page that cannot be drawn stays white; the others are shown.
  draw().catch(() => undefined);
  return () => {
    isWanted = false;
    for (const end of ends) end();
    canvas.width = 0;
    canvas.height = 0;
    text?.replaceChildren();
  };
}
