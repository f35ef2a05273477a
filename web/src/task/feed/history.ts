import type { TaskEvent } from '@errand/client';
import type { Conversation } from '../conversation/conversation.ts';
import type { Doze } from './doze.ts';
import type { FeedPorts } from './feed-ports.ts';

const pageLimit = 200;
/** So many older events are taken in at once, because taking them in reads all that are known again. */
const batchSize = 2_000;
const mostRetries = 5;
const firstRetryMs = 500;

/** The older events of a conversation, read page by page while its newest are shown already. */
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

  /** Reads until nothing is older, the signal aborts, or the service cannot be asked. */
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
