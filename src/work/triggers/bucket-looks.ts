import { BucketProblem } from '../../store/triggers/bucket-problem.ts';
import type { BucketClient } from '../../store/triggers/bucket-client.ts';
import { pauseAfter } from '../../rules/triggers/watched-bucket.ts';
import type { FoundTrigger } from '../../store/triggers/triggers.ts';
import { endBucketLook, type EndBucketLookArgs } from '../../store/triggers/watched-buckets.ts';
import type { Look } from '../../store/triggers/watched-folders.ts';
import { BucketLook } from './bucket-look.ts';
import type { BucketLookParts } from './bucket-look-parts.ts';
import type { LookWorkerParts } from './look-worker.ts';

/** Time between two looks at a bucket, and how many times as long as a look took. */
const [lookMs, restFactor] = [30_000, 4];
/** Time until objects that have to wait are tried again. */
const retryMs = 60_000;
/** Triggers whose unreadable objects are remembered. */
const mostWithUnread = 1000;

export interface BucketLooksParts extends Pick<LookWorkerParts, 'database' | 'clock' | 'log'> {
  /** Throws `BucketProblem` if the trigger has no keys. */
  openBucket(trigger: FoundTrigger): BucketClient;
  fire: BucketLookParts['fire'];
}

type Ending = Pick<EndBucketLookArgs, 'waitMs' | 'problem' | 'failures' | 'isComplete'>;

/** Looks at the buckets of triggers, and starts tasks with the objects that are new. */
export class BucketLooks {
  readonly #parts: BucketLooksParts;
  /** By trigger, what the last look could not read. Another process finds out for itself. */
  readonly #unread = new Map<string, Set<string>>();

  constructor(parts: BucketLooksParts) {
    this.#parts = parts;
  }

  /** One look, whose end is stored when this resolves. */
  async look(look: Look, signal: AbortSignal): Promise<void> {
    const { accountId, id: triggerId } = look.trigger;
    const lease = { accountId, triggerId, lookAtMs: look.lookAtMs };
    const ending = await this.#lookThrough(look, lease, signal).catch((error: unknown) => this.#fail(look, error, signal));
    await this.#parts.database.run(endBucketLook, { ...lease, ...ending });
  }

  /** @param lease moves with each renewal */
  async #lookThrough(look: Look, lease: BucketLookParts['lease'], signal: AbortSignal): Promise<Ending> {
    const { database, clock, openBucket, fire } = this.#parts;
    const begun = clock.monotonic();
    const client = openBucket(look.trigger);
    const unread = this.#unread.get(look.trigger.id) ?? new Set();
    const parts = { database, clock, client, fire, lease, look, unread, signal };
    const { problem, isComplete } = await new BucketLook(parts).run();
    this.#keepUnread(look.trigger.id, unread);
    const waitMs = Math.max(problem === null ? lookMs : retryMs, restFactor * (clock.monotonic() - begun));
    return { waitMs: Math.round(waitMs), problem, failures: 0, isComplete };
  }

  #keepUnread(triggerId: string, unread: Set<string>): void {
    this.#unread.delete(triggerId);
    if (unread.size > 0 && this.#unread.size < mostWithUnread) this.#unread.set(triggerId, unread);
  }

  /** The pauses grow: keys that were withdrawn, or a storage that is away, are not asked every minute. */
  #fail({ trigger, failures: before }: Look, error: unknown, signal: AbortSignal): Ending {
    if (signal.aborted) return { waitMs: 0, problem: trigger.watchProblem, failures: before, isComplete: false };
    const isKnown = error instanceof BucketProblem;
    if (!isKnown)
      this.#parts.log.warn({ err: error, trigger_id: trigger.id }, 'a bucket could not be looked at; it is tried again');
    const problem = isKnown ? error.message : 'The service could not look at the bucket; it tries again.';
    const failures = before + 1;
    return { waitMs: pauseAfter(failures), problem, failures, isComplete: false };
  }
}
