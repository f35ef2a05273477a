import type { Delta } from '@errand/base/signals/deltas.ts';
import type { PublicEvent } from '../../rules/events/present.ts';
import type { TaskKey } from '../../store/events/task-key.ts';

/** Changes in a list of tasks. */
export interface ListChange {
  /** Whether `tasks` is the complete list, or only new and changed ones. */
  is_whole: boolean;
  tasks: readonly { id: string }[];
  /** Ids of deleted tasks. */
  gone: string[];
}

/** The browser of a task as a person sees it now. */
export interface BrowserLook {
  driver: 'nobody' | 'agent' | 'you' | 'person';
  /** False while a person has to wait for a call of the agent to end. */
  is_ready: boolean;
  /** A JPEG in Base64; null if it is the same as before. */
  picture: string | null;
  width: number;
  height: number;
}

/** What a stream sends: events have an id to resume after, deltas and list changes are transient. */
export type FeedItem =
  | { kind: 'event'; event: PublicEvent }
  | { kind: 'delta'; delta: Delta }
  | { kind: 'list'; list: ListChange }
  | { kind: 'browser'; browser: BrowserLook };

/** Batches of items until the signal aborts or there can be no more. */
export type Feed = (signal: AbortSignal) => AsyncIterable<readonly FeedItem[]>;

/** What a reader sees of a task. Readers with the same view share every read of the log and its serialization. */
export interface LogView {
  key: TaskKey;
  isVerbose: boolean;
  /** Whether messages say who wrote them. */
  showsAccount: boolean;
}

/** A reader's right to read. Readers with the same `id` share every check. */
export interface ReaderAccess {
  id: string;
  isStillValid(): Promise<boolean>;
}

/** Events after a position in the log, in order. */
export interface LogPage {
  /** One array shared by all readers of the page. */
  items: readonly FeedItem[];
  /** The position after the page. */
  seq: number;
  /** Whether the page reaches the end of the log. */
  isLast: boolean;
}

/** The state of a log at some time or later. */
export interface LogLook {
  isAllowed(access: ReaderAccess): Promise<boolean>;
  /** Rejects with 404 `not_found` if the task is deleted or the view is not permitted any more. */
  readPage(afterSeq: number): Promise<LogPage>;
}

/** One reader's connection to a log. */
export interface FollowedLog {
  /** Looks at the log for this reader alone, without results that others have read before. */
  lookFirst(): LogLook;
  /** The look that belongs to the last wake-up, shared by all readers that were woken by it. */
  look(): LogLook;
  /** Wakes the readers again after a pause, because the store was unavailable. */
  retryLater(): void;
  leave(): void;
}

/** The logs that streams of this process follow. */
export interface FollowedLogs {
  /** `wake` is called when the log may have grown, or the reader may have lost its access. */
  follow(view: LogView, access: ReaderAccess, wake: () => void): FollowedLog;
}
