import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text/locale.ts';
import type { Size } from '../panel/use-size.ts';
import { useInView } from '../panel/use-in-view.ts';
import { drawPage } from './draw-page.ts';
import type { PdfDocument } from './open-pdf.ts';
import './pdf-page.css';

interface PdfPageProps {
  document: PdfDocument;
  number: number;
  scale: number;
}

/** One page, drawn while it is visible. */
export function PdfPage({ document, number, scale }: PdfPageProps) {
  const { previews } = useText();
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const isNear = useInView(place, 800);
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
