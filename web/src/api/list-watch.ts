import { parseEventStream } from '@errand/client/event-stream.ts';
import { useSyncExternalStore } from 'react';
import { webConnection } from './errand.ts';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { type ListChange, readNewest, takeListChange } from './task-cache.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** The service sends a heartbeat after 25 seconds without data; after this long, the connection counts as lost. */
const heartbeatTimeoutMs = 40_000;
/** How long a hidden tab keeps the connection, of which browsers allow only a few. Short looks at other tabs do not end it. */
const hiddenGraceMs = 5_000;
/** The lock held by the tab with the connection, and the channel on which it shares updates. */
const name = 'errand.list';

/** Messages between tabs: `ask` requests the whole list, `away` says that there are no updates for now. */
type TabMessage = { kind: 'list'; list: ListChange } | { kind: 'ask' | 'away' };

/** Calls back if nothing is received for too long; `receive` restarts the timer. */
function listenForSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, heartbeatTimeoutMs);
  const end = () => clearTimeout(timer);
  const receive = () => {
    end();
    timer = setTimeout(onSilence, heartbeatTimeoutMs);
  };
  return { receive, end };
}

/** Resolves after the delay, when the network is back, or when the signal aborts. */
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
 * Watches the list of tasks while it is in use and the page is visible, and updates it wherever tasks are shown. Without a connection,
 * lists are polled instead. Only one tab of a browser has the connection.
 */
class ListWatch {
  /** Whether updates are arriving. */
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
    if (!this.#isWanted()) this.#timer = setTimeout(() => this.#isWanted() || this.#leave(), hiddenGraceMs);
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
    // Without locks, as on pages without TLS, each tab has its own connection.
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
      // Other notices about the service depend on whether its lists can be read.
      void queryClient.invalidateQueries({ queryKey: keys.newestTasks });
      await rest(Math.min(longestRetryMs, firstRetryMs * 2 ** retry) * (0.5 + Math.random() / 2), signal);
    }
    this.#isLeading = false;
  }

  /** Runs one connection until it ends; returns whether anything arrived. */
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
      // Lists are polled in the meantime, and report errors.
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

/** Whether lists of tasks are updated live; otherwise they are polled. */
export function useIsListLive(): boolean {
  return useSyncExternalStore(listWatch.subscribe, () => listWatch.isLive);
}
