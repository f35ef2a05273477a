import { lazy } from 'react';
import { useText } from '../../text/locale.ts';
import type { PdfDocument } from '../pdf/open-pdf.ts';
import { usePdf } from '../pdf/use-pdf.ts';
import type { SlideOutline } from '../pages/preview-frame.tsx';
import { PreviewFault } from '../files/preview-fault.ts';
import type { PreviewFile } from '../files/preview-file.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { usePdfConversion } from '../pdf/use-pdf-conversion.ts';
import { ConvertedSlide } from './converted-slide.tsx';
import { SlideDeck } from './slide-deck.tsx';
import { hasReadableWords, usePresentation } from './use-presentation.ts';
import { useSlides } from './use-slides.ts';

const mostSlides = 500;

const DrawnSlides = lazy(async () => ({ default: (await import('./drawn-slides.tsx')).DrawnSlides }));

interface ConvertedSlidesProps {
  document: PdfDocument;
  file: PreviewFile;
  /** Titles and notes, which the pages do not contain. */
  outline?: readonly SlideOutline[];
}

function ConvertedSlides({ document, file, outline = [] }: ConvertedSlidesProps) {
  const turns = useSlides(Math.min(document.pdf.numPages, mostSlides));
  const draw = (slide: number, width: number) => (
    <ConvertedSlide key={slide} document={document} slide={slide} width={width} hasText />
  );
  const drawSmall = (slide: number, width: number) => (
    <ConvertedSlide document={document} slide={slide} width={width} hasText={false} />
  );
  return (
    <SlideDeck
      name={file.filename}
      turns={turns}
      outline={outline}
      ratio={document.width / document.height}
      drawSlide={draw}
      drawThumbnail={drawSmall}
    />
  );
}

/** Pages with the titles and notes of their slides, once those are loaded; hidden slides have no pages. */
function NotedSlides({ document, file }: ConvertedSlidesProps) {
  const { value } = usePresentation(file);
  const isWhole = value?.slides.length === document.pdf.numPages;
  return <ConvertedSlides document={document} file={file} outline={isWhole ? value.slides : []} />;
}

/**
 * An office presentation, one slide at a time: as pages converted by the service, or, if it has no program for that, as the text and
 * pictures of each slide.
 */
export function SlidesPreview(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = usePdfConversion(view.file);
  const opened = usePdf(value);
  const problem = error ?? opened?.problem;
  const isUnprinted = problem instanceof PreviewFault && problem.trouble === 'unconverted';
  const isReadable = hasReadableWords(view.file);
  if (isUnprinted && isReadable) return <DrawnSlides {...view} />;
  if (problem) return <PreviewProblem {...view} error={problem} />;
  if (!opened?.document) return <PreviewLoading label={previews.printing} />;
  const Shown = isReadable ? NotedSlides : ConvertedSlides;
  return <Shown document={opened.document} file={view.file} />;
}
