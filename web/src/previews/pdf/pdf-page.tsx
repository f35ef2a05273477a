import { TextLayer } from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text/locale.ts';
import type { Size } from '../use-size.ts';
import { useSight } from '../use-sight.ts';
import type { PdfDocument } from './pdf-document.ts';
import './pdf-page.css';

/** A canvas has at most this many pixels; a page that is larger is drawn coarser. */
const mostPixels = 16_000_000;

interface PdfPageProps {
  document: PdfDocument;
  number: number;
  scale: number;
}

interface Drawing {
  canvas: HTMLCanvasElement;
  text: HTMLDivElement;
}

/** Draws a page and lays its text over it, where it can be selected and read. Returns what ends both. */
function drawPage({ pdf }: PdfDocument, number: number, scale: number, { canvas, text }: Drawing, onSize: (size: Size) => void) {
  let isWanted = true;
  const ends: (() => void)[] = [];
  async function draw(): Promise<void> {
    const page = await pdf.getPage(number);
    if (!isWanted) return;
    const viewport = page.getViewport({ scale });
    onSize({ width: viewport.width / scale, height: viewport.height / scale });
    const sharpness = Math.min(window.devicePixelRatio || 1, Math.sqrt(mostPixels / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * sharpness);
    canvas.height = Math.floor(viewport.height * sharpness);
    const drawing = page.render({ canvas, viewport, transform: [sharpness, 0, 0, sharpness, 0, 0] });
    ends.push(() => drawing.cancel());
    await drawing.promise;
    if (!isWanted) return;
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
    text.replaceChildren();
  };
}

/** One page, drawn while it is in sight. */
export function PdfPage({ document, number, scale }: PdfPageProps) {
  const { previews } = useText();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const isNear = useSight(place, 800);
  const [size, setSize] = useState<Size>({ width: document.width, height: document.height });
  useEffect(() => {
    if (!isNear || !canvas.current || !text.current) return undefined;
    return drawPage(document, number, scale, { canvas: canvas.current, text: text.current }, setSize);
  }, [isNear, document, number, scale]);
  const box = { width: size.width * scale, height: size.height * scale };
  return (
    <div
      ref={place}
      data-page={number}
      role="group"
      aria-label={previews.page(number, document.pdf.numPages)}
      className="relative mx-auto mb-4 shrink-0 bg-white ring-1 ring-line"
      style={box}
    >
      <canvas ref={canvas} aria-hidden className="block h-full w-full" />
      <div ref={text} className="pdf-text" style={{ '--total-scale-factor': scale } as Record<string, number>} />
    </div>
  );
}
