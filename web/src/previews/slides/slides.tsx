import { useCallback, useState } from 'react';
import { useText } from '../../text/locale.ts';
import type { SlideOutline } from '../pages/preview-frame.tsx';
import { SlideDeck } from './slide-deck.tsx';
import { SlideFrame, slideHeight, slideWidth } from './slide-frame.tsx';
import { useSlides } from './use-slides.ts';

/** Longer decks have no thumbnails, because each of them contains the whole deck. Characters. */
const mostThumbnailText = 3_000_000;

interface SlidesProps {
  fileUrl: string;
  name: string;
  /** The source of the whole deck. */
  html: string;
  /** Called if the page is not a deck. */
  onNoDeck: () => void;
}

/** A deck in our own HTML format: its slides are known once the preview frame has reported them. */
export function Slides({ fileUrl, name, html, onNoDeck }: SlidesProps) {
  const { previews } = useText();
  const [outline, setOutline] = useState<readonly SlideOutline[]>([]);
  const turns = useSlides(outline.length);
  const readOutline = useCallback(
    (slides: readonly SlideOutline[]) => (slides.length > 0 ? setOutline(slides) : onNoDeck()),
    [onNoDeck],
  );
  const shared = (slide: number, width: number) => ({
    ...{ html, fileUrl, slide, width },
    title: outline[slide]?.title || previews.slide(slide + 1, Math.max(1, outline.length)),
    tabIndex: -1,
  });
  const draw = (slide: number, width: number) => (
    <SlideFrame {...shared(slide, width)} onOutline={readOutline} onKey={turns.turn} />
  );
  const drawSmall = (slide: number, width: number) =>
    html.length > mostThumbnailText ? null : <SlideFrame {...shared(slide, width)} />;
  return (
    <SlideDeck
      name={name}
      turns={turns}
      outline={outline}
      ratio={slideWidth / slideHeight}
      drawSlide={draw}
      drawThumbnail={drawSmall}
    />
  );
}
