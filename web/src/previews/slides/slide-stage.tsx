import { type ReactNode, type RefObject, useEffect } from 'react';
import { useSize } from '../panel/use-size.ts';

/** Around the slide. Pixels. */
const margin = 32;

interface SlideStageProps {
  place: RefObject<HTMLDivElement | null>;
  label: string;
  /** Width by height. */
  ratio: number;
  /** Draws the slide in this width. */
  draw: (width: number) => ReactNode;
}

/** The current slide, as large as possible. */
export function SlideStage({ place, label, ratio, draw }: SlideStageProps) {
  const { width, height } = useSize(place);
  const shownWidth = Math.min(width - margin, (height - margin) * ratio);
  // Keys change slides immediately, unless the focus is in another control.
  useEffect(() => {
    if (document.activeElement?.contains(place.current)) place.current?.focus({ preventScroll: true });
  }, [place]);
  return (
    <div
      ref={place}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- receives the keys that change slides
      tabIndex={0}
      role="group"
      aria-label={label}
      className="flex min-h-40 flex-1 items-center justify-center bg-hover"
    >
      {shownWidth > 0 && <div className="shadow-float">{draw(shownWidth)}</div>}
    </div>
  );
}
