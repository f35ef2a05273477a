import { useText } from '../../text/locale.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { DrawnSlideView } from './drawn-slide.tsx';
import { SlideDeck } from './slide-deck.tsx';
import { usePresentation } from './use-presentation.ts';
import { useSlides } from './use-slides.ts';

/** A presentation as text and pictures, for servers that cannot convert it. */
export function DrawnSlides(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = usePresentation(view.file);
  const turns = useSlides(value?.slides.length ?? 0);
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  const draw = (slide: number, width: number) => <DrawnSlideView slide={value.slides[slide]} size={value} width={width} />;
  return (
    <>
      <p className="shrink-0 border-b border-line px-4 py-2 text-sm text-soft">{previews.wordsOnly}</p>
      <SlideDeck
        name={view.file.filename}
        turns={turns}
        outline={value.slides}
        ratio={value.width / value.height}
        drawSlide={draw}
        drawThumbnail={draw}
      />
    </>
  );
}
