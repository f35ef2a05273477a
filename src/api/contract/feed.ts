import type { Delta } from '@errand/base/signals/deltas.ts';
import type { PublicEvent } from '../../rules/events/present.ts';

/** Changes in a list of tasks. */
export interface ListChange {
  /** Whether `tasks` is the complete list, or only new and changed ones. */
  is_whole: boolean;
  tasks: readonly { id: string }[];
  /** Those that were deleted. */
  gone: string[];
}

/** What a stream sends: events have an id to resume after, deltas and list changes are transient. */
export type FeedItem =
  | { kind: 'event'; event: PublicEvent }
  | { kind: 'delta'; delta: Delta }
  | { kind: 'list'; list: ListChange };

/** Batches of items until the signal aborts or there can be no more. */
export type Feed = (signal: AbortSignal) => AsyncIterable<readonly FeedItem[]>;
