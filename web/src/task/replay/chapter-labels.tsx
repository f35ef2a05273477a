import type { Chapter } from '../conversation/step.ts';
import { placeOf } from './tick-strip.tsx';

/** A narrower chapter has no name on the strip; the label of its steps has it. */
const narrowest = 0.09;

interface ChapterLabelsProps {
  chapters: readonly Chapter[];
  /** The number of steps. */
  count: number;
}

/** The names of the plan's phases below their steps. */
export function ChapterLabels({ chapters, count }: ChapterLabelsProps) {
  const shown = chapters.flatMap(({ title, from }, index) => {
    const start = placeOf(from, count);
    const share = placeOf(Math.min(chapters[index + 1]?.from ?? count, count - 1), count) - start;
    return title === null || share < narrowest ? [] : [{ title, from, start, share }];
  });
  return (
    <div aria-hidden className="relative mx-2 h-4.5 overflow-hidden text-xs text-soft">
      {shown.map(({ title, from, start, share }) => (
        <span
          key={from}
          title={title}
          className="absolute truncate pl-1"
          style={{ left: `${start * 100}%`, width: `${share * 100}%` }}
        >
          {title}
        </span>
      ))}
    </div>
  );
}
