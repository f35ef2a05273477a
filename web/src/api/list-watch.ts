import { parseEventStream } from '@errand/client/event-stream.ts';
import { webConnection } from './errand.ts';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { type ListChange, readNewest, takeListChange } from './task-cache.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** The service gives a sign of life every 15 seconds. */
const silenceMs = 40_000;
/** A look at another tab does not end the connection. A browser has few of them, so a longer one does. */
const hiddenMs = 5_000;
/** The lock of the one tab that has the connection, and the channel by which the others hear of what it brings. */
const name = 'errand.list';

/** What tabs say to one another: `ask` is for the whole list, `away` says that nothing comes for now. */
type TabMessage = { kind: 'list'; list: ListChange } | { kind: 'ask' | 'away' };

/** Calls back when nothing was heard for too long; `hear` puts that off. */
function listenForSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, silenceMs);
  const end = () => clearTimeout(timer);
  const receive = () => {
    end();
    timer = setTimeout(onSilence, silenceMs);
  };
  return { receive, end };
}

/** Resolves after the time, when there is a network again, or when the signal aborts. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const rise = () => {
      clearTimeout(timer);
      window.removeEventListener('online', rise);
      signal.removeEventListener('abort', rise);
      resolve();
    };
    const timer = setTimeout(rise, ms);
    window.addEventListener('online', rise);
    signal.addEventListener('abort', rise);
    if (signal.aborted) rise();
  });
}

/**
 * Tells of changes in the list of tasks, for as long as somebody needs it and looks at the page. What it brings is shown wherever
 * tasks are. While it brings nothing, lists are read again and again instead. Of all tabs of a browser one has the connection.
 */
class ListWatch {
  /** Whether changes come by themselves. */
  isLive = false;
  /** Whether it continues while the page is hidden. */
  staysHidden = false;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | null = null;
  #life: AbortController | null = null;
  #isLeading = false;
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
    this.#channel = new BroadcastChannel(name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => this.#receive(data));
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  #end(): void {
    document.removeEventListener('visibilitychange', this.#look);
    this.#leave();
    this.#channel?.close();
    this.#channel = null;
  }

  readonly #look = (): void => {
    clearTimeout(this.#timer);
    if (!this.#isWanted()) this.#timer = setTimeout(() => this.#isWanted() || this.#leave(), hiddenMs);
    else if (!this.#life) this.#enter();
  };

  #isWanted(): boolean {
    return this.staysHidden || document.visibilityState === 'visible';
  }

  #enter(): void {
    const life = new AbortController();
    this.#life = life;
    this.#post({ kind: 'ask' });
    const lead = () => this.#lead(life.signal);
    // Without them, as on pages without TLS, each tab has a connection of its own.
    const { locks } = navigator as { locks?: LockManager };
    if (locks) locks.request(name, { signal: life.signal }, lead).catch(() => undefined);
    else void lead();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    this.#life?.abort();
    this.#life = null;
    this.#setLive(false);
  }

  #receive(message: TabMessage): void {
    if (message.kind === 'ask') {
      const tasks = this.#isLeading && this.isLive ? readNewest() : null;
      if (tasks) this.#post({ kind: 'list', list: { is_whole: true, tasks, gone: [] } });
    } else if (this.#life && !this.#isLeading) {
      if (message.kind === 'list') takeListChange(message.list);
      this.#setLive(message.kind === 'list');
    }
  }

  #post(message: TabMessage): void {
    this.#channel?.postMessage(message);
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true;
    for (let retry = 0; !signal.aborted; retry += 1) {
      if (await this.#follow(signal)) retry = 0;
      if (signal.aborted) break;
      this.#post({ kind: 'away' });
      this.#setLive(false);
      // What is said of the service elsewhere depends on whether its lists can be read.
      void queryClient.invalidateQueries({ queryKey: keys.newestTasks });
      await rest(Math.min(longestRetryMs, firstRetryMs * 2 ** retry) * (0.5 + Math.random() / 2), signal);
    }
    this.#isLeading = false;
  }

  /** One connection until it ends; whether it brought anything. */
  async #follow(life: AbortSignal): Promise<boolean> {
    const connection = new AbortController();
    const silence = listenForSilence(() => connection.abort());
    const signal = AbortSignal.any([life, connection.signal]);
    let hasBrought = false;
    try {
      const response = await webConnection.open({ method: 'GET', path: '/web/task.watch', input: {}, signal });
      for await (const { event, data } of parseEventStream(watchBytes(response, silence.receive))) {
        if (event !== 'list') continue;
        const list = JSON.parse(data) as ListChange;
        hasBrought = true;
        takeListChange(list);
        this.#post({ kind: 'list', list });
        this.#setLive(true);
      }
    } catch {
      // Lists are read in the meantime, and they say what is wrong.
    }
    silence.end();
    return hasBrought;
  }

  #setLive(isLive: boolean): void {
    if (isLive === this.isLive) return;
    this.isLive = isLive;
    for (const listener of this.#listeners) listener();
  }
}

function watchBytes(response: Response, onReceived: () => void): ReadableStream<Uint8Array> {
  if (!response.body) throw new Error('the stream has no body');
  const watcher = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onReceived();
      controller.enqueue(chunk);
    },
  });
  return response.body.pipeThrough(watcher);
}

export const listWatch = new ListWatch();
