import { useDeferredValue, useState } from 'react';
import type { Conversation } from '../conversation/conversation.ts';

export interface Replay {
  /** The event whose moment is shown; null for the present. */
  moment: string | null;
  /** The conversation at that moment. While somebody drags through a long run, it may be a few frames behind. */
  shown: Conversation;
  /** Shows the moment of an event, or the present again. */
  seek(eventId: string | null): void;
}

/** Lets people go back to any moment of a run. */
export function useReplay(live: Conversation): Replay {
  const [moment, seek] = useState<string | null>(null);
  const shownMoment = useDeferredValue(moment);
  return { moment, shown: moment === null || shownMoment === null ? live : live.until(shownMoment), seek };
}
