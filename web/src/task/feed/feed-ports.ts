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
  /** Called whenever anything arrives, including heartbeats. */
  onReceived(): void;
}

/** How to handle a failure: `passing` may be retried, `lost-place` means that the resume position is not in the log any more. */
export type Trouble =
  | { kind: 'passing'; retryAfterMs: number | null }
  | { kind: 'lost-place' | 'gone' | 'signed-out' }
  | { kind: 'failed'; problem: string };

/** What a feed needs from the service and the browser. */
export interface FeedPorts {
  /** A page of the log, from the newest event backward. */
  readPage(cursor: string | null, limit: number, signal: AbortSignal): Promise<HistoryPage>;
  /** Streams the events after a position, and deltas, until the connection ends. */
  openStream(call: StreamCall): AsyncIterable<StreamItem>;
  classify(error: unknown): Trouble;
  isOnline(): boolean;
  isVisible(): boolean;
  /** Calls back when one of the two may have changed; the returned function unsubscribes. */
  watch(listener: () => void): () => void;
  /** Milliseconds of a clock that keeps running while the machine sleeps. */
  now(): number;
  setTimer(callback: () => void, ms: number): () => void;
  /** Calls back once before the next repaint. */
  beforePaint(callback: () => void): void;
  /** A random number from 0 to 1. */
  chance(): number;
}
