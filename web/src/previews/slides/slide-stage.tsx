import { type RefObject, useEffect } from 'react';
import { useSize } from '../use-size.ts';
import { SlideFrame, type SlideFrameProps, slideHeight, slideWidth } from './slide-frame.tsx';

/** Around the slide. Pixels. */
const margin = 32;

/** The slide that is shown, as large as there is room. */
export function SlideStage({
  place,
  ...frame
}: { place: RefObject<HTMLDivElement | null> } & Omit<SlideFrameProps, 'width' | 'tabIndex'>) {
  const { width, height } = useSize(place);
  const shownWidth = Math.min(width - margin, ((height - margin) * slideWidth) / slideHeight);
  // Keys turn slides at once, unless somebody is about something else.
  useEffect(() => {
    if (document.activeElement?.contains(place.current)) place.current?.focus({ preventScroll: true });
  }, [place]);
  return (
    <div
      ref={place}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where the keys go that turn slides
      tabIndex={0}
      role="group"
      aria-label={frame.title}
      className="flex min-h-40 flex-1 items-center justify-center bg-hover"
    >
      {shownWidth > 0 && (
        <div className="shadow-float">
          <SlideFrame {...frame} width={shownWidth} tabIndex={-1} />
        </div>
      )}
    </div>
  );
}
