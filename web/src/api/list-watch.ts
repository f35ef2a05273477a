import { parseEventStream } from '@errand/client/event-stream.ts';
import { webConnection } from './errand.ts';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { type ListChange, takeListChange } from './task-cache.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** The service gives a sign of life every 15 seconds. */
const silenceMs = 40_000;
/** A look at another tab does not end the connection. A browser has few of them, so a longer one does. */
const hiddenMs = 5_000;

/** Calls back when nothing was heard for too long; `hear` puts that off. */
function listenForSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, silenceMs);
  const end = () => clearTimeout(timer);
  const hear = () => {
    end();
    timer = setTimeout(onSilence, silenceMs);
  };
  return { hear, end };
}

/**
 * The one connection of a page that tells of changes in the list of tasks, for as long as somebody needs it and looks at the page.
 * What it brings is shown wherever tasks are. While it is not there, lists are read again and again instead.
 */
class ListWatch {
  /** Whether changes come by themselves. */
  isLive = false;
  readonly #listeners = new Set<() => void>();
  #connection: AbortController | null = null;
  #retries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  };

  #begin(): void {
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener('online', this.#look);
    this.#look();
  }

  #end(): void {
    document.removeEventListener('visibilitychange', this.#look);
    window.removeEventListener('online', this.#look);
    this.#leave();
  }

  readonly #look = (): void => {
    clearTimeout(this.#timer);
    if (document.visibilityState !== 'visible') this.#timer = setTimeout(() => this.#leave(), hiddenMs);
    else if (!this.#connection || this.#connection.signal.aborted) void this.#follow();
  };

  #leave(): void {
    clearTimeout(this.#timer);
    this.#connection?.abort();
  }

  async #follow(): Promise<void> {
    const connection = new AbortController();
    this.#connection = connection;
    const silence = listenForSilence(() => connection.abort());
    try {
      const response = await webConnection.open({ method: 'GET', path: '/web/task.watch', input: {}, signal: connection.signal });
      for await (const { event, data } of parseEventStream(overhear(response, silence.hear))) {
        if (event === 'list') this.#take(JSON.parse(data) as ListChange);
      }
    } catch {
      // Lists are read in the meantime, and they say what is wrong.
    }
    silence.end();
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#setLive(false);
    if (this.#listeners.size === 0 || document.visibilityState !== 'visible') return;
    const grown = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#retries);
    this.#retries += 1;
    this.#timer = setTimeout(this.#look, grown * (0.5 + Math.random() / 2));
  }

  #take(change: ListChange): void {
    this.#retries = 0;
    takeListChange(change);
    this.#setLive(true);
  }

  #setLive(isLive: boolean): void {
    if (isLive === this.isLive) return;
    this.isLive = isLive;
    // What is said of the service elsewhere depends on whether its lists can be read.
    if (!isLive && this.#listeners.size > 0) void queryClient.invalidateQueries({ queryKey: keys.newestTasks });
    for (const listener of this.#listeners) listener();
  }
}

function overhear(response: Response, onHeard: () => void): ReadableStream<Uint8Array> {
  if (!response.body) throw new Error('the stream has no body');
  const tell = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onHeard();
      controller.enqueue(chunk);
    },
  });
  return response.body.pipeThrough(tell);
}

export const listWatch = new ListWatch();
