import { type KeyboardEvent, useCallback, useState } from 'react';

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

/** The current slide, and navigation to others. */
export interface SlideTurns {
  count: number;
  at: number;
  setAt: (index: number) => void;
  move: (step: number) => void;
  /** Handles navigation keys; ignores other keys. */
  turn: (key: string) => void;
  press: (event: KeyboardEvent) => void;
}

export function useSlides(count: number): SlideTurns {
  const [at, setAt] = useState(0);
  const move = useCallback((step: number) => setAt((now) => Math.max(0, Math.min(count - 1, now + step))), [count]);
  const turn = useCallback((key: string) => move(stepByKey[key] ?? 0), [move]);
  const press = useCallback(
    (event: KeyboardEvent) => {
      if (!(event.key in stepByKey) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      turn(event.key);
    },
    [turn],
  );
  return { count, at, setAt, move, turn, press };
}
