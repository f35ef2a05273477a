import { parseEventStream } from '@errand/client/event-stream.ts';
import { webConnection } from '../../api/errand.ts';
import { rest } from './rest.ts';

/** What the service streams (`task.watchBrowser`). */
export interface Look {
  driver: 'nobody' | 'agent' | 'you' | 'person';
  /** Whether who has taken it over can act. */
  is_ready: boolean;
  /** Null if the one before is still right. */
  picture: string | null;
  /** Size of the page that the picture shows. */
  width: number;
  height: number;
}
export type BrowserState = Omit<Look, 'picture'>;

const retryMs = 3_000;
/** The worker gives who holds the browser some seconds to come back. */
const holderRetryMs = 1_000;
const holderTries = 5;

export interface BrowserWatchParts {
  taskId: string;
  viewId: string;
  onLook(look: Look): void;
  /** Called when the state of the browser is no longer known. */
  onLost(): void;
}

/** Follows the browser of a task while the page is visible, and also while it holds the browser: its owner may be reading a code elsewhere. */
export class BrowserWatch {
  readonly #parts: BrowserWatchParts;
  readonly #life = new AbortController();
  #connection = new AbortController();
  #isHolding = false;
  #wasVisible = document.visibilityState === 'visible';
  #tries = 0;

  constructor(parts: BrowserWatchParts) {
    this.#parts = parts;
    document.addEventListener('visibilitychange', this.#notice);
    void this.#run();
  }

  get isHolding(): boolean {
    return this.#isHolding;
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#notice);
    this.#life.abort();
  }

  get #isWatching(): boolean {
    return this.#isHolding || document.visibilityState === 'visible';
  }

  readonly #notice = (): void => {
    const isVisible = document.visibilityState === 'visible';
    if (isVisible !== this.#wasVisible && !this.#isHolding) this.#connection.abort();
    this.#wasVisible = isVisible;
  };

  async #run(): Promise<void> {
    const life = this.#life.signal;
    while (!life.aborted) {
      this.#connection = new AbortController();
      const signal = AbortSignal.any([life, this.#connection.signal]);
      this.#tries += 1;
      if (this.#isWatching) await this.#follow(signal).catch(() => undefined);
      if (life.aborted) return;
      if (this.#tries > holderTries) this.#isHolding = false;
      if (!this.#isHolding) this.#parts.onLost();
      await rest(this.#isHolding ? holderRetryMs : retryMs, signal);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { taskId, viewId, onLook } = this.#parts;
    const input = { task_id: taskId, view_id: viewId };
    const response = await webConnection.open({ method: 'GET', path: '/web/task.watchBrowser', input, signal });
    if (!response.body) return;
    for await (const { event, data } of parseEventStream(response.body)) {
      if (event !== 'browser') continue;
      const look = JSON.parse(data) as Look;
      this.#tries = 0;
      this.#isHolding = look.driver === 'you';
      onLook(look);
      if (!this.#isWatching) this.#connection.abort();
    }
  }
}
