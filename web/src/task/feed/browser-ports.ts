import { ErrandError, isPassing, type StreamItem } from '@errand/client';
import type { FeedPorts, StreamCall, Trouble } from './feed-ports.ts';

/** The source of a conversation's events. */
export interface FeedSource {
  readPage: FeedPorts['readPage'];
  openStream(call: StreamCall): AsyncIterable<StreamItem>;
}

/** Hidden pages get no animation frames. */
const hiddenPaintMs = 500;

function classify(error: unknown): Trouble {
  if (!(error instanceof ErrandError)) return { kind: 'passing', retryAfterMs: null };
  const { status, code, message, retryAfterMs } = error;
  if (status === 401) return { kind: 'signed-out' };
  if (code === 'not_found') return { kind: 'gone' };
  if (message.includes('last_event_id')) return { kind: 'lost-place' };
  return isPassing(error) ? { kind: 'passing', retryAfterMs } : { kind: 'failed', problem: message };
}

function watch(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  window.addEventListener('pageshow', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
    window.removeEventListener('pageshow', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** A feed of this source in this browser. */
export function browserPorts(source: FeedSource): FeedPorts {
  return {
    ...source,
    classify,
    isOnline: () => navigator.onLine,
    isVisible: () => document.visibilityState === 'visible',
    watch,
    now: () => Date.now(),
    setTimer: (callback, ms) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    beforePaint: (callback) => {
      if (document.visibilityState === 'visible') requestAnimationFrame(callback);
      else setTimeout(callback, hiddenPaintMs);
    },
    chance: () => Math.random(),
  };
}
