import { errand } from '../api/errand.ts';
import { type OutgoingMessage, toContent } from '../composer/outgoing-message.ts';
import { getLocale } from '../text/locale.ts';
import { describeError } from '../ui/state.tsx';
import type { TaskFeed } from './feed/task-feed.ts';

/** Messages of one page on their way: shown at once, and sent again, when asked, as the same request, so that none counts twice. */
export class Outbox {
  readonly #taskId: string;
  readonly #feed: TaskFeed;
  readonly #messages = new Map<string, OutgoingMessage>();

  constructor(taskId: string, feed: TaskFeed) {
    this.#taskId = taskId;
    this.#feed = feed;
  }

  send(message: OutgoingMessage): void {
    const key = crypto.randomUUID();
    this.#messages.set(key, message);
    const filenames = message.attachments.map(({ filename }) => filename);
    this.#feed.conversation.addPending({ key, text: message.content, filenames, atMs: Date.now() });
    void this.sendAgain(key);
  }

  async sendAgain(key: string): Promise<void> {
    const message = this.#messages.get(key);
    if (!message) return;
    this.#settle(key, 'sending');
    try {
      const content = toContent(message);
      await errand.task.sendMessage({ task_id: this.#taskId, message: { content } }, { idempotencyKey: key });
      this.#messages.delete(key);
      this.#settle(key, 'accepted');
    } catch (error) {
      this.#settle(key, 'failed', describeError(error, getLocale().texts));
    }
  }

  discard(key: string): void {
    this.#messages.delete(key);
    this.#feed.conversation.dropPending(key);
    this.#feed.touch();
  }

  #settle(key: string, delivery: 'sending' | 'accepted' | 'failed', problem: string | null = null): void {
    this.#feed.conversation.settlePending(key, delivery, problem);
    this.#feed.touch();
  }
}
