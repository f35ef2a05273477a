import { useLayoutEffect, useState } from 'react';
import type { Step } from '../task/conversation/step.ts';

/** How long a step is shown. */
const stepMs = 1_200;

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export interface Playback {
  isPlaying: boolean;
  /** Plays on from the shown moment, from the beginning after the end, or pauses. */
  toggle(): void;
  pause(): void;
}

/** Goes through a run step by step, at once unless the browser asks for less motion. */
export function usePlayback(steps: readonly Step[], moment: string | null, seek: (key: string | null) => void): Playback {
  const [isPlaying, setPlaying] = useState(() => !prefersStillness());
  const at = moment === null ? -1 : steps.findLastIndex(({ key }) => key <= moment);
  // Before the first paint, so that the end is not seen first.
  useLayoutEffect(() => {
    if (!isPlaying) return undefined;
    const advance = () => {
      const isOver = at + 2 >= steps.length;
      seek(isOver ? null : (steps[at + 1]?.key ?? null));
      if (isOver) setPlaying(false);
    };
    if (at < 0) {
      advance();
      return undefined;
    }
    const timer = setTimeout(advance, stepMs);
    return () => clearTimeout(timer);
  }, [isPlaying, at, steps, seek]);
  return { isPlaying, toggle: () => setPlaying(!isPlaying), pause: () => setPlaying(false) };
}
