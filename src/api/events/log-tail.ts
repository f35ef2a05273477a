import type { Clock, Timer } from '@errand/base/clock.ts';
import { type Hints, taskKey } from '@errand/base/signals/hints.ts';
import type { FollowedLog, LogLook, LogView } from '../contract/feed.ts';
import { type LookParts, SharedLook } from './log-look.ts';

export interface TailParts extends LookParts {
  hints: Hints;
  clock: Clock;
}

/** Retry interval while the store is unavailable. */
const retryIntervalMs = 1000;

/** The end of one log in one view, and the readers that wait there. A hint wakes them all, and what the first one reads is read for all. */
export class LogTail {
  readonly view: LogView;
  readonly #parts: TailParts;
  readonly #readers = new Set<() => void>();
  readonly #unsubscribe: () => void;
  #look: LogLook | null = null;
  #seenSeq = 0;
  #retry: Timer | null = null;

  constructor(parts: TailParts, view: LogView) {
    this.#parts = parts;
    this.view = view;
    this.#unsubscribe = parts.hints.subscribe(taskKey(view.key.taskId), () => this.wake());
  }

  /** Whether its readers see the task because their team may. */
  get isOfTeam(): boolean {
    return (this.view.key.sharedWithId ?? null) !== null;
  }

  /** @param onLeave is called when the reader leaves; `isEmpty` tells whether it was the last one */
  join(wake: () => void, onLeave: (isEmpty: boolean) => void): FollowedLog {
    this.#readers.add(wake);
    return {
      lookFirst: () => this.#createLook(),
      look: () => (this.#look ??= this.#createLook()),
      retryLater: () => this.#retryLater(),
      leave: () => {
        this.#readers.delete(wake);
        const isEmpty = this.#readers.size === 0;
        if (isEmpty) this.#end();
        onLeave(isEmpty);
      },
    };
  }

  /** Everything read from now on is read again. */
  wake(): void {
    this.#look = null;
    for (const wake of [...this.#readers]) wake();
  }

  /** Wakes the readers if the log has grown unnoticed, or the task is gone. */
  compare(lastSeq: number | null): void {
    if (lastSeq !== this.#seenSeq) this.wake();
  }

  #createLook(): LogLook {
    return new SharedLook(this.#parts, this.view, (lastSeq) => (this.#seenSeq = Math.max(this.#seenSeq, lastSeq)));
  }

  #retryLater(): void {
    this.#retry ??= this.#parts.clock.setTimer(() => {
      this.#retry = null;
      this.wake();
    }, retryIntervalMs);
  }

  #end(): void {
    this.#unsubscribe();
    this.#retry?.cancel();
  }
}
