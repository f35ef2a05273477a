import { type KeyboardEvent, useCallback, useState } from 'react';
import type { SlideOutline } from '../pages/room.tsx';

const stepByKey: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  PageDown: 1,
  ' ': 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  PageUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Which slide is shown, and the ways to another. The slides are known once the room has told them. */
export function useSlides(onNoDeck: () => void) {
  const [slides, setSlides] = useState<readonly SlideOutline[]>([]);
  const [at, setAt] = useState(0);
  const { length } = slides;
  const move = useCallback((step: number) => setAt((now) => Math.max(0, Math.min(length - 1, now + step))), [length]);
  const turn = useCallback((key: string) => key in stepByKey && move(stepByKey[key] ?? 0), [move]);
  const press = useCallback(
    (event: KeyboardEvent) => {
      if (!(event.key in stepByKey) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      turn(event.key);
    },
    [turn],
  );
  const readOutline = useCallback(
    (outline: readonly SlideOutline[]) => (outline.length > 0 ? setSlides(outline) : onNoDeck()),
    [onNoDeck],
  );
  return { slides, at, setAt, move, turn, press, readOutline };
}
