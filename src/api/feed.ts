import type { Delta } from '../base/deltas.ts';
import type { PublicEvent } from '../rules/present.ts';

/** What a stream brings: events have an id to resume behind, deltas are passing. */
export type FeedItem = { kind: 'event'; event: PublicEvent } | { kind: 'delta'; delta: Delta };

/** Batches of items until the signal aborts or there can be no more. */
export type Feed = (signal: AbortSignal) => AsyncIterable<readonly FeedItem[]>;
