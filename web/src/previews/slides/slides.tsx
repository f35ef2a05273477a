import { useRef, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { SlideStage } from './slide-stage.tsx';
import { SlideThumbnail } from './slide-thumbnail.tsx';
import { SlideTools } from './slide-tools.tsx';
import { useSlides } from './use-slides.ts';

/** A deck that is longer has no small slides, because each of them holds all of it. Characters. */
const mostThumbnailText = 3_000_000;

interface SlidesProps {
  fileUrl: string;
  name: string;
  /** The whole deck. */
  html: string;
  /** Told when the page is no deck. */
  onNoDeck: () => void;
}

/** One slide, the tools above it, and all slides below it. */
export function Slides({ fileUrl, name, html, onNoDeck }: SlidesProps) {
  const { previews } = useText();
  const stage = useRef<HTMLDivElement>(null);
  const { slides, at, setAt, move, turn, press, readOutline } = useSlides(onNoDeck);
  const [hasNotes, setNotes] = useState(false);
  const labelOf = (index: number) => slides[index]?.title || previews.slide(index + 1, Math.max(1, slides.length));
  const notes = slides[at]?.notes ?? '';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys turn slides wherever the focus is in the deck
    <div
      role="group"
      aria-roledescription={previews.deck}
      aria-label={name}
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={press}
    >
      <SlideTools
        at={at}
        count={slides.length}
        onMove={move}
        hasNotes={slides.some((slide) => slide.notes !== '') ? hasNotes : null}
        onNotes={() => setNotes(!hasNotes)}
        onFullScreen={() => void stage.current?.requestFullscreen().catch(() => undefined)}
      />
      <SlideStage
        place={stage}
        fileUrl={fileUrl}
        html={html}
        slide={at}
        title={labelOf(at)}
        onOutline={readOutline}
        onKey={turn}
      />
      {hasNotes && (
        <p dir="auto" className="max-h-40 shrink-0 overflow-auto border-t border-line px-4 py-3 text-sm whitespace-pre-wrap">
          {notes === '' ? previews.noNotes : notes}
        </p>
      )}
      {slides.length > 1 && (
        <ol aria-label={previews.slides} className="flex shrink-0 gap-2 overflow-x-auto border-t border-line p-2.5">
          {slides.map((_, index) => (
            <SlideThumbnail
              key={index}
              html={html.length > mostThumbnailText ? null : html}
              slide={index}
              label={labelOf(index)}
              fileUrl={fileUrl}
              isShown={index === at}
              onChoose={() => setAt(index)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
