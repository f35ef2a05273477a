import { errand } from '../api/errand.ts';
import { type OutgoingMessage, toContent } from '../composer/outgoing-message.ts';
import { getLocale } from '../text/locale.ts';
import { describeError } from '../ui/feedback/state.tsx';
import type { NewMessage } from './conversation/pending-messages.ts';
import type { TaskFeed } from './feed/task-feed.ts';

interface Kept extends Omit<NewMessage, 'text' | 'filenames'> {
  message: OutgoingMessage;
}

function readKept(storageKey: string): Kept[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as Kept[];
  } catch {
    return [];
  }
}

/**
 * Messages being sent from one page: shown immediately, and resent, on request or after a reload, as the same request, so that none is sent
 * twice.
 */
export class Outbox {
  readonly #taskId: string;
  readonly #feed: TaskFeed;
  readonly #kept = new Map<string, Kept>();

  constructor(taskId: string, feed: TaskFeed) {
    this.#taskId = taskId;
    this.#feed = feed;
  }

  send(message: OutgoingMessage): void {
    const behind = this.#feed.conversation.lastEventId;
    this.#begin({ key: crypto.randomUUID(), atMs: Date.now(), behind, message });
  }

  /** Resends messages whose outcome an earlier load of this page did not learn. */
  restore(): void {
    for (const kept of readKept(this.#storageKey)) this.#begin(kept);
  }

  async sendAgain(key: string): Promise<void> {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#mark(key, 'sending');
    try {
      const message = { content: toContent(kept.message) };
      await errand.task.sendMessage({ task_id: this.#taskId, message }, { idempotencyKey: key });
      this.#remove(key);
      this.#mark(key, 'accepted');
    } catch (error) {
      this.#mark(key, 'failed', describeError(error, getLocale().texts));
    }
  }

  discard(key: string): void {
    this.#remove(key);
    this.#feed.conversation.dropPending(key);
    this.#feed.touch();
  }

  get #storageKey(): string {
    return `errand.outbox.${this.#taskId}`;
  }

  #begin(kept: Kept): void {
    const { key, atMs, behind, message } = kept;
    this.#kept.set(key, kept);
    this.#keep();
    const filenames = message.attachments.map(({ filename }) => filename);
    this.#feed.conversation.addPending({ key, text: message.content, filenames, atMs, behind });
    void this.sendAgain(key);
  }

  #remove(key: string): void {
    this.#kept.delete(key);
    this.#keep();
  }

  #keep(): void {
    try {
      if (this.#kept.size === 0) sessionStorage.removeItem(this.#storageKey);
      else sessionStorage.setItem(this.#storageKey, JSON.stringify([...this.#kept.values()]));
    } catch {
      // Without storage, unsent messages last as long as the page.
    }
  }

  #mark(key: string, delivery: 'sending' | 'accepted' | 'failed', problem: string | null = null): void {
    this.#feed.conversation.markPending(key, delivery, problem);
    this.#feed.touch();
  }
}
