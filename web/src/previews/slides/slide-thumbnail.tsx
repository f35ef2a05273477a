import { useEffect, useRef } from 'react';
import { joinClasses } from '../../ui/class-names.ts';
import { useSight } from '../use-sight.ts';
import { SlideFrame, slideHeight, slideWidth } from './slide-frame.tsx';

const width = 128;

interface SlideThumbnailProps {
  /** The whole deck; null for one that is too large to be held once for each slide. */
  html: string | null;
  slide: number;
  label: string;
  fileUrl: string;
  isShown: boolean;
  onChoose: () => void;
}

/** A small slide to choose. Its frame is only there while it is in sight. */
export function SlideThumbnail({ html, slide, label, fileUrl, isShown, onChoose }: SlideThumbnailProps) {
  const place = useRef<HTMLLIElement>(null);
  const isNear = useSight(place, 200);
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
        style={{ width: width + 2, height: (width * slideHeight) / slideWidth + 2 }}
      >
        {isNear && html !== null && (
          // What the button over it says is all that a reader needs.
          <div aria-hidden inert>
            <SlideFrame html={html} slide={slide} width={width} fileUrl={fileUrl} title={label} tabIndex={-1} />
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
