import type { TaskEvent } from '@errand/client';
import type { Conversation } from '../conversation/conversation.ts';
import type { Doze } from './doze.ts';
import type { FeedPorts } from './feed-ports.ts';

const pageLimit = 200;
/** Batch size for adding older events, because each batch reprocesses all known ones. */
const batchSize = 2_000;
const mostRetries = 5;
const firstRetryMs = 500;

/** Loads the older events of a conversation page by page, while the newest are already shown. */
export class History {
  /** `broken`: a page could not be read; retrying resumes there. */
  state: 'loading' | 'complete' | 'broken' = 'loading';
  readonly #ports: Pick<FeedPorts, 'readPage'>;
  readonly #doze: Doze;
  readonly #conversation: Conversation;
  readonly #onChange: () => void;
  #cursor: string | null;

  constructor(
    ports: Pick<FeedPorts, 'readPage'>,
    doze: Doze,
    { conversation, cursor, onChange }: { conversation: Conversation; cursor: string | null; onChange(): void },
  ) {
    this.#ports = ports;
    this.#doze = doze;
    this.#conversation = conversation;
    this.#cursor = cursor;
    this.#onChange = onChange;
  }

  /** Loads until the beginning is reached, the signal aborts, or the service is unreachable. */
  async read(signal: AbortSignal): Promise<void> {
    this.state = 'loading';
    let older: TaskEvent[] = [];
    for (let retry = 0; this.#cursor !== null && retry <= mostRetries; ) {
      const page = await this.#ports.readPage(this.#cursor, pageLimit, signal).catch(() => null);
      if (signal.aborted) return;
      if (!page) {
        retry += 1;
        await this.#doze.for(firstRetryMs * 2 ** retry, signal);
        continue;
      }
      retry = 0;
      older = [...page.messages.toReversed(), ...older];
      this.#cursor = page.has_more ? (page.next_cursor ?? null) : null;
      if (older.length < batchSize) continue;
      this.#conversation.prepend(older);
      older = [];
      this.#onChange();
    }
    this.#conversation.prepend(older);
    this.state = this.#cursor === null ? 'complete' : 'broken';
    this.#onChange();
  }
}
