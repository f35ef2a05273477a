import { useEffect, useRef } from 'react';
import { drawPage } from '../pdf/draw-page.ts';
import type { PdfDocument } from '../pdf/open-pdf.ts';
import '../pdf/pdf-page.css';

interface ConvertedSlideProps {
  document: PdfDocument;
  slide: number;
  width: number;
  /** Whether its text can be selected and read. */
  hasText: boolean;
}

/** One slide of a presentation, drawn from its converted page. */
export function ConvertedSlide({ document, slide, width, hasText }: ConvertedSlideProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const scale = width / document.width;
  useEffect(() => {
    if (!canvas.current) return undefined;
    return drawPage(document, slide + 1, scale, { canvas: canvas.current, text: text.current });
  }, [document, slide, scale]);
  return (
    <div className="relative overflow-hidden bg-white" style={{ width, height: document.height * scale }}>
      <canvas ref={canvas} aria-hidden className="block h-full w-full" />
      {hasText && <div ref={text} className="pdf-text" style={{ '--total-scale-factor': scale } as Record<string, number>} />}
    </div>
  );
}
