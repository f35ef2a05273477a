import type { Clock } from '@errand/base/clock.ts';
import type { TaskState } from '../../rules/tasks/task-state.ts';
import type { Lease } from '../../store/tasks/task-leases.ts';
import { measureState, type StateSize } from './state-size.ts';

/** Logs shorter than this are read again, which costs less than keeping their state. */
const leastEvents = 24;
/** One state never takes more than this part of the cache. */
const largestPart = 0.25;

export interface StateCacheOptions {
  clock: Pick<Clock, 'monotonic'>;
  maxBytes?: number;
  /** A state that no turn has used for this long is dropped, so that idle processes stay small and deleted tasks leave no copy. */
  ttlMs?: number;
}

/** A state, and the event up to which it is stored in the database; 0 if it is not stored. */
export interface FoldedTask {
  state: TaskState;
  savedSeq: number;
}

interface Kept {
  folded: FoldedTask;
  /** The fence of the claim under which it was folded. */
  fence: number;
  size: StateSize;
  keptAt: number;
}

function keyOf({ accountId, taskId }: Lease): string {
  return `${accountId} ${taskId}`;
}

/**
 * States folded by this process, so that the next turn of a conversation reads only what was logged since. A log is only ever appended
 * to, so a state stays that of a beginning of the log, whoever writes the rest.
 */
export class StateCache {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #maxBytes: number;
  readonly #ttlMs: number;
  /** States, least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor({ clock, maxBytes = 32 << 20, ttlMs = 10 * 60_000 }: StateCacheOptions) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#ttlMs = ttlMs;
  }

  /** Approximate memory used by the states, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A state of this task from an earlier claim; null if there is none. */
  find(lease: Lease): FoldedTask | null {
    const kept = this.#kept.get(keyOf(lease));
    // Fences only grow, except when an older copy of the database takes its place.
    return kept && kept.fence < lease.fence ? kept.folded : null;
  }

  keep(lease: Lease, folded: FoldedTask): void {
    const key = keyOf(lease);
    const before = this.#kept.get(key);
    const isOlder = before !== undefined && before.fence > lease.fence;
    if (folded.state.seq < leastEvents || isOlder) return;
    const size = measureState(folded.state, before?.size ?? null);
    this.#drop(key);
    if (size.bytes > this.#maxBytes * largestPart) return;
    this.#kept.set(key, { folded, fence: lease.fence, size, keptAt: this.#clock.monotonic() });
    this.#bytes += size.bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#drop(oldest);
    }
  }

  /** Drops states that have not been used for long. */
  expire(): void {
    for (const [key, { keptAt }] of this.#kept) {
      if (this.#clock.monotonic() - keptAt < this.#ttlMs) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.size.bytes ?? 0;
    this.#kept.delete(key);
  }
}
