import type { Attachment } from '@errand/client';

/** New tasks that begin with the conversation up to a message. */
export interface Branching {
  /** Resolves with whether the task was started. Without `text`, a message of the user is sent as it was. */
  start(eventId: string, text?: string): Promise<boolean>;
  /** While one is being started. */
  isBusy: boolean;
}

/** What this person thinks of an answer; `none` takes it back. */
export interface OwnRating {
  rating: 'up' | 'down' | 'none';
  reason: string;
}

/** This person's ratings of the answers of a task. */
export interface Ratings {
  of(eventId: string): OwnRating | null;
  /** Resolves with whether it is stored. */
  rate(eventId: string, rating: OwnRating): Promise<boolean>;
}

/** Actions in a conversation for its owner, and for whom it is handed over to. */
export interface RowActions {
  taskId: string;
  /** Whether the messages of the user are those of this person. */
  isOwner: boolean;
  answer(text: string): void;
  /** Resolves with whether the input decided it. */
  confirm(eventId: string, input: Record<string, unknown>): Promise<boolean>;
  sendAgain(key: string): void;
  discard(key: string): void;
  /** Null where the conversation cannot be continued elsewhere. */
  branching: Branching | null;
}

/** Which collapsible rows are open. */
export interface Disclosure {
  isOpen(key: string): boolean;
  toggle(key: string): void;
}

export interface RowContext {
  /** Who wrote a message of this account, of the owner for null. Absent where the owner alone has written. */
  nameAuthor?: ((authorId: string | null) => string) | undefined;
  /** Null for read-only viewers. */
  actions: RowActions | null;
  /** Absent for visitors. */
  ratings?: Ratings;
  /** Begins a comment on a message; absent for visitors. */
  comment?: (eventId: string) => void;
  disclosure: Disclosure;
  openFile(file: Attachment): void;
}
