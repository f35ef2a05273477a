import type { Attachment } from '@errand/client';

/** Actions in a conversation for its owner. */
export interface RowActions {
  answer(text: string): void;
  /** Resolves with whether the input decided it. */
  confirm(eventId: string, input: Record<string, unknown>): Promise<boolean>;
  sendAgain(key: string): void;
  discard(key: string): void;
}

/** Which collapsible rows are open. */
export interface Disclosure {
  isOpen(key: string): boolean;
  toggle(key: string): void;
}

export interface RowContext {
  /** Null for read-only viewers. */
  actions: RowActions | null;
  disclosure: Disclosure;
  openFile(file: Attachment): void;
}
