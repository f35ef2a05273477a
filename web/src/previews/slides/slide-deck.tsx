import { type ReactNode, useRef, useState } from 'react';
import { useText } from '../../text/locale.ts';
import type { SlideOutline } from '../pages/preview-frame.tsx';
import { SlideStage } from './slide-stage.tsx';
import { SlideThumbnail } from './slide-thumbnail.tsx';
import { SlideTools } from './slide-tools.tsx';
import type { SlideTurns } from './use-slides.ts';

/** Draws one slide at a given width. */
export type DrawSlide = (slide: number, width: number) => ReactNode;

interface SlideDeckProps {
  name: string;
  turns: SlideTurns;
  /** Titles and notes, if known. */
  outline: readonly SlideOutline[];
  /** Width by height. */
  ratio: number;
  drawSlide: DrawSlide;
  drawThumbnail: DrawSlide;
}

/** One slide, its controls, and thumbnails of all slides. */
export function SlideDeck({ name, turns, outline, ratio, drawSlide, drawThumbnail }: SlideDeckProps) {
  const { previews } = useText();
  const stage = useRef<HTMLDivElement>(null);
  const [hasNotes, setNotes] = useState(false);
  const { count, at, setAt, move, press } = turns;
  const labelOf = (index: number) => outline[index]?.title || previews.slide(index + 1, Math.max(1, count));
  const notes = outline[at]?.notes ?? '';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys change slides wherever the focus is in the deck
    <div
      role="group"
      aria-roledescription={previews.deck}
      aria-label={name}
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={press}
    >
      <SlideTools
        at={at}
        count={count}
        onMove={move}
        hasNotes={outline.some((slide) => slide.notes !== '') ? hasNotes : null}
        onNotes={() => setNotes(!hasNotes)}
        onFullScreen={() => void stage.current?.requestFullscreen().catch(() => undefined)}
      />
      <SlideStage place={stage} label={labelOf(at)} ratio={ratio} draw={(width) => drawSlide(at, width)} />
      {hasNotes && (
        <p dir="auto" className="max-h-40 shrink-0 overflow-auto border-t border-line px-4 py-3 text-sm whitespace-pre-wrap">
          {notes === '' ? previews.noNotes : notes}
        </p>
      )}
      {count > 1 && (
        <ol aria-label={previews.slides} className="flex shrink-0 gap-2 overflow-x-auto border-t border-line p-2.5">
          {Array.from({ length: count }, (_, index) => (
            <SlideThumbnail
              key={index}
              slide={index}
              label={labelOf(index)}
              ratio={ratio}
              isShown={index === at}
              draw={(width) => drawThumbnail(index, width)}
              onChoose={() => setAt(index)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
