import type { Delta } from '@errand/base/signals/deltas.ts';
import type { PublicEvent } from '../../rules/events/present.ts';

/** What is new in a list of tasks. */
export interface ListChange {
  /** Whether `tasks` are all that the list has now, or those that are new in it or changed. */
  is_whole: boolean;
  tasks: readonly { id: string }[];
  /** Those that were deleted. */
  gone: string[];
}

/** What a stream brings: events have an id to resume behind, deltas are passing, and so are changes of a list. */
export type FeedItem =
  | { kind: 'event'; event: PublicEvent }
  | { kind: 'delta'; delta: Delta }
  | { kind: 'list'; list: ListChange };

/** Batches of items until the signal aborts or there can be no more. */
export type Feed = (signal: AbortSignal) => AsyncIterable<readonly FeedItem[]>;
