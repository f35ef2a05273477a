import { lazy } from 'react';
import { useText } from '../../text/locale.ts';
import type { PdfDocument } from '../pdf/pdf-document.ts';
import { usePdf } from '../pdf/use-pdf.ts';
import { endingOf } from '../preview-kind.ts';
import { PreviewFault } from '../preview-fault.ts';
import { PreviewLoading } from '../preview-loading.tsx';
import { PreviewProblem } from '../preview-problem.tsx';
import type { PreviewViewProps } from '../preview-view.ts';
import { usePrint } from '../printed/use-print.ts';
import { PrintedSlide } from './printed-slide.tsx';
import { SlideDeck } from './slide-deck.tsx';
import { useSlides } from './use-slides.ts';

const mostSlides = 500;

const DrawnSlides = lazy(async () => ({ default: (await import('./drawn-slides.tsx')).DrawnSlides }));

function PrintedSlides({ document, name }: { document: PdfDocument; name: string }) {
  const turns = useSlides(Math.min(document.pdf.numPages, mostSlides));
  const draw = (slide: number, width: number) => (
    <PrintedSlide key={slide} document={document} slide={slide} width={width} hasText />
  );
  const drawSmall = (slide: number, width: number) => (
    <PrintedSlide document={document} slide={slide} width={width} hasText={false} />
  );
  return (
    <SlideDeck
      name={name}
      turns={turns}
      outline={[]}
      ratio={document.width / document.height}
      drawSlide={draw}
      drawThumbnail={drawSmall}
    />
  );
}

/**
 * A presentation of an office program, one slide at a time: as the service makes pages of it, or, where it has no program for that, by
 * the words and pictures of each slide.
 */
export function SlidesPreview(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = usePrint(view.file);
  const opened = usePdf(value);
  const problem = error ?? opened?.problem;
  const isUnprinted = problem instanceof PreviewFault && problem.trouble === 'unprinted';
  if (isUnprinted && /^p(?:pt|ps|ot)x$/.test(endingOf(view.file.filename))) return <DrawnSlides {...view} />;
  if (problem) return <PreviewProblem {...view} error={problem} />;
  if (!opened?.document) return <PreviewLoading label={previews.printing} />;
  return <PrintedSlides document={opened.document} name={view.file.filename} />;
}
