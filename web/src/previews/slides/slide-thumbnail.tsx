import { type ReactNode, useEffect, useRef } from 'react';
import { joinClasses } from '../../ui/display/class-names.ts';
import { useInView } from '../panel/use-in-view.ts';

const width = 128;

interface SlideThumbnailProps {
  slide: number;
  label: string;
  /** Width by height. */
  ratio: number;
  isShown: boolean;
  /** Draws the slide in this width; null if that is too expensive. */
  draw: (width: number) => ReactNode;
  onChoose: () => void;
}

/** A small slide to select, drawn only while it is visible. */
export function SlideThumbnail({ slide, label, ratio, isShown, draw, onChoose }: SlideThumbnailProps) {
  const place = useRef<HTMLLIElement>(null);
  const isNear = useInView(place, 200);
  useEffect(() => {
    if (isShown) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isShown]);
  return (
    <li ref={place} className="relative shrink-0">
      <div
        className={joinClasses(
          'overflow-hidden rounded-sm border bg-hover',
          isShown ? 'border-accent ring-2 ring-accent' : 'border-line',
        )}
        style={{ width: width + 2, height: width / ratio + 2 }}
      >
        {isNear && (
          // The label of the button over it is enough for screen readers.
          <div aria-hidden inert>
            {draw(width)}
          </div>
        )}
      </div>
      <button
        type="button"
        aria-label={label}
        aria-current={isShown ? 'true' : undefined}
        className="absolute inset-0 rounded-sm"
        onClick={onChoose}
      />
      <span aria-hidden className="absolute bottom-1 left-1 rounded-sm bg-ink px-1.5 text-xs text-paper tabular-nums">
        {slide + 1}
      </span>
    </li>
  );
}
