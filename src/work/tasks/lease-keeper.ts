/**
 * Keeps the leases of one worker process alive.
 *
 * The database decides who owns a task and until when; this process only assumes it. A renewal sent at time t grants leases that end, by
 * the database's clock, no earlier than t + TTL. The keeper trusts them until t + TTL - margin by its own monotonic clock and then releases
 * everything, whatever the database may say later: it has stopped before another worker can begin. A task that a renewal does not confirm
 * was stopped, deleted or taken over, and is released at once.
 */
import type { Clock, Timer } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Database } from '../../store/db/database.ts';
import { type Lease, leasesPerWrite, renewLeases } from '../../store/tasks/task-leases.ts';

export interface LeaseTiming {
  ttlMs: number;
  renewEveryMs: number;
  /** Covers the round trip to the database, and clocks that run at slightly different speeds. */
  marginMs: number;
}

/** Renew after a third of the lease; a fifth is the safety margin. */
export function leaseTiming(ttlMs: number): LeaseTiming {
  return { ttlMs, renewEveryMs: Math.floor(ttlMs / 3), marginMs: Math.floor(ttlMs / 5) };
}

interface Held {
  lease: Lease;
  trustedUntil: number;
  /** `taken`: according to the database; `doubted`: it could not be asked in time. */
  onLost(why: 'taken' | 'doubted'): void;
}

export class LeaseKeeper {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #workerId: string;
  readonly #timing: LeaseTiming;
  readonly #held = new Map<string, Held>();
  #renewTimer: Timer | undefined;
  #trustTimer: Timer | undefined;
  /** When the timer fires, on the monotonic clock. */
  #trustEndsAt = Number.POSITIVE_INFINITY;
  #isRenewing = false;

  constructor(parts: { database: Database; clock: Clock; log: Log; workerId: string; timing: LeaseTiming }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#workerId = parts.workerId;
    this.#timing = parts.timing;
  }

  /**
   * An earlier lease on the same task is lost: this worker has claimed it again.
   * @param claimStartedAt monotonic time at which the claim was sent
   */
  hold(lease: Lease, claimStartedAt: number, onLost: Held['onLost']): void {
    const earlier = this.#held.get(lease.taskId);
    if (earlier) this.#lose(earlier, 'taken');
    const trustedUntil = claimStartedAt + this.#timing.ttlMs - this.#timing.marginMs;
    this.#held.set(lease.taskId, { lease, trustedUntil, onLost });
    this.#renewTimer ??= this.#clock.setTimer(() => void this.#renew(), this.#timing.renewEveryMs);
    if (trustedUntil < this.#trustEndsAt) this.#watchTrust();
  }

  drop(lease: Lease): void {
    if (this.#held.get(lease.taskId)?.lease.fence === lease.fence) this.#held.delete(lease.taskId);
    if (this.#held.size > 0) return;
    this.#renewTimer?.cancel();
    this.#trustTimer?.cancel();
    this.#renewTimer = undefined;
    this.#trustTimer = undefined;
    this.#trustEndsAt = Number.POSITIVE_INFINITY;
  }

  async #renew(): Promise<void> {
    this.#renewTimer = undefined;
    if (!this.#isRenewing) await this.#renewAll();
    if (this.#held.size > 0) this.#renewTimer ??= this.#clock.setTimer(() => void this.#renew(), this.#timing.renewEveryMs);
  }

  async #renewAll(): Promise<void> {
    this.#isRenewing = true;
    const asked = [...this.#held.values()];
    try {
      for (let from = 0; from < asked.length; from += leasesPerWrite)
        await this.#renewSome(asked.slice(from, from + leasesPerWrite));
    } catch (error) {
      this.#log.warn({ err: error }, 'leases could not be renewed');
    } finally {
      this.#isRenewing = false;
    }
  }

  async #renewSome(asked: readonly Held[]): Promise<void> {
    const { ttlMs, marginMs } = this.#timing;
    const sentAt = this.#clock.monotonic();
    const leases = asked.map(({ lease }) => lease);
    const confirmed = new Set(await this.#database.run(renewLeases, { workerId: this.#workerId, ttlMs, leases }));
    for (const held of asked) {
      if (confirmed.has(held.lease.taskId)) held.trustedUntil = sentAt + ttlMs - marginMs;
      else this.#lose(held, 'taken');
    }
  }

  #lose(held: Held, why: 'taken' | 'doubted'): void {
    if (this.#held.get(held.lease.taskId) !== held) return;
    this.#held.delete(held.lease.taskId);
    held.onLost(why);
  }

  /** A single timer, no later than the moment when the first lease can no longer be trusted. */
  #watchTrust(): void {
    this.#trustTimer?.cancel();
    this.#trustTimer = undefined;
    this.#trustEndsAt = Math.min(Number.POSITIVE_INFINITY, ...[...this.#held.values()].map(({ trustedUntil }) => trustedUntil));
    if (this.#held.size === 0) return;
    const delayMs = Math.max(0, this.#trustEndsAt - this.#clock.monotonic());
    this.#trustTimer = this.#clock.setTimer(() => this.#endTrust(), delayMs);
  }

  #endTrust(): void {
    const now = this.#clock.monotonic();
    for (const held of [...this.#held.values()]) if (held.trustedUntil <= now) this.#lose(held, 'doubted');
    this.#watchTrust();
  }
}
