import type { Attachment } from '@errand/client';

/** What a reader who may take part can do in a conversation. */
export interface RowActions {
  answer(text: string): void;
  /** Resolves with whether the input decided it. */
  confirm(eventId: string, input: Record<string, unknown>): Promise<boolean>;
  sendAgain(key: string): void;
  discard(key: string): void;
}

/** Which of the things that fold are open. */
export interface Disclosure {
  isOpen(key: string): boolean;
  toggle(key: string): void;
}

export interface RowContext {
  /** Null for readers who only read. */
  actions: RowActions | null;
  disclosure: Disclosure;
  openFile(file: Attachment): void;
}
