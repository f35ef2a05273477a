import type { StreamItem, TaskEvent } from '@errand/client';

export interface HistoryPage {
  /** Newest first. */
  messages: readonly TaskEvent[];
  has_more: boolean;
  next_cursor?: string;
}

export interface StreamCall {
  /** Resumes after this event. */
  lastEventId: string | null;
  signal: AbortSignal;
  /** Called whenever anything arrives, a sign of life included. */
  onReceived(): void;
}

/**
 * What a failure means for the feed: `passing` may be otherwise a little later, `lost-place` says that the place to go on from is
 * none of the log's any more.
 */
export type Trouble =
  | { kind: 'passing'; retryAfterMs: number | null }
  | { kind: 'lost-place' | 'gone' | 'signed-out' }
  | { kind: 'failed'; problem: string };

/** What a feed needs of the service and of the browser it lives in. */
export interface FeedPorts {
  /** A page of the log from its newest event backwards. */
  readPage(cursor: string | null, limit: number, signal: AbortSignal): Promise<HistoryPage>;
  /** The events behind a place, and what is passing, until the connection ends. */
  openStream(call: StreamCall): AsyncIterable<StreamItem>;
  judge(error: unknown): Trouble;
  isOnline(): boolean;
  isVisible(): boolean;
  /** Calls back when one of the two may have changed; the returned function ends it. */
  watch(listener: () => void): () => void;
  /** Milliseconds of a clock that keeps running while the machine sleeps. */
  now(): number;
  setTimer(callback: () => void, ms: number): () => void;
  /** Calls back once before the next picture is drawn. */
  beforePaint(callback: () => void): void;
  /** From 0 to 1. */
  chance(): number;
}
