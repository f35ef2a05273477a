import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import { credentialsKey } from '@errand/base/signals/hints.ts';
import { Worker } from '@errand/base/worker.ts';
import { readLastSeqs } from '../../store/events/events.ts';
import type { FollowedLog, FollowedLogs, LogView, ReaderAccess } from '../contract/feed.ts';
import { LogTail, type TailParts } from './log-tail.ts';

/** How long an ended credential may go unnoticed if no hint announces its end. */
const pollMs = 10_000;
/** How long a lost hint can delay a reader. None is lost unless a connection of the database is, which wakes everybody. */
const compareMs = 20_000;
/** Retry interval while the store is unavailable. */
const retryMs = 1000;
/** Pages that are read at the same time for readers far behind. */
const backfillSlots = 2;
/** Tasks that one statement of a poll looks at. */
const chunk = 256;

/** A right to read, with the number of its readers at each tail. */
interface Access extends ReaderAccess {
  tails: Map<LogTail, number>;
}

function nameOf({ key, isVerbose, showsAccount }: LogView): string {
  const { accountId, taskId, onlyClientId, onlyUserId, sharedWithId } = key;
  return [accountId, taskId, onlyClientId ?? '', onlyUserId ?? '', sharedWithId ?? '', isVerbose, showsAccount].join('\0');
}

/**
 * The tails of a process. However many readers are idle, each credential is checked once when credentials change, and a lost hint is found by
 * one statement for hundreds of tasks now and then.
 */
export class LogTails extends Worker implements FollowedLogs {
  readonly #parts: TailParts;
  readonly #tails = new Map<string, LogTail>();
  readonly #accesses = new Map<string, Access>();
  #comparedAt: number;

  constructor(parts: Omit<TailParts, 'backfills'> & { log: Log }) {
    const { clock, hints, log } = parts;
    super({ name: 'streams', clock, log, pollMs, hint: { hints, key: credentialsKey }, failure: 'checking streams failed' });
    this.#parts = { ...parts, backfills: new FairGate({ capacity: backfillSlots }) };
    this.#comparedAt = clock.monotonic();
  }

  follow(view: LogView, access: ReaderAccess, wake: () => void): FollowedLog {
    const name = nameOf(view);
    const tail = this.#tails.get(name) ?? new LogTail(this.#parts, view);
    this.#tails.set(name, tail);
    const release = this.#hold(access, tail);
    return tail.join(wake, (isEmpty) => {
      release();
      if (isEmpty) this.#tails.delete(name);
    });
  }

  protected async work(): Promise<boolean> {
    try {
      await this.#checkAccesses();
      const { clock } = this.#parts;
      if (clock.monotonic() - this.#comparedAt < compareMs) return false;
      await this.#compareTails();
      this.#comparedAt = clock.monotonic();
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'unavailable')) throw error;
      this.wakeIn(retryMs);
    }
    return false;
  }

  #hold({ id, isStillValid }: ReaderAccess, tail: LogTail): () => void {
    const access = this.#accesses.get(id) ?? { id, isStillValid, tails: new Map<LogTail, number>() };
    this.#accesses.set(id, access);
    access.tails.set(tail, (access.tails.get(tail) ?? 0) + 1);
    return () => {
      const left = (access.tails.get(tail) ?? 1) - 1;
      if (left > 0) access.tails.set(tail, left);
      else access.tails.delete(tail);
      if (access.tails.size === 0) this.#accesses.delete(id);
    };
  }

  /** Wakes the readers whose credential is no longer valid, and those who may no longer be in a team: they find out themselves. */
  async #checkAccesses(): Promise<void> {
    for (const tail of [...this.#tails.values()]) if (tail.isOfTeam) tail.wake();
    for (const { isStillValid, tails } of [...this.#accesses.values()]) {
      if (await isStillValid()) continue;
      for (const tail of tails.keys()) tail.wake();
    }
  }

  async #compareTails(): Promise<void> {
    const tails = [...this.#tails.values()];
    for (let from = 0; from < tails.length; from += chunk) {
      const some = tails.slice(from, from + chunk);
      const lastSeqs = await this.#parts.database.run(
        readLastSeqs,
        some.map(({ view }) => view.key),
      );
      some.forEach((tail, index) => tail.compare(lastSeqs[index] ?? null));
    }
  }
}
