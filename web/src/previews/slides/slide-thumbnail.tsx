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
  /** Draws the slide in this width; null where that would take too much. */
  draw: (width: number) => ReactNode;
  onChoose: () => void;
}

/** A small slide to choose. It is drawn only while it is in sight. */
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
          // What the button over it says is all that a reader needs.
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
