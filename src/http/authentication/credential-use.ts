import type { Clock, Timer } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';

/** A credential of an account that was used. */
export interface UsedCredential {
  accountId: string;
  id: string;
}

export interface CredentialUseParts {
  clock: Clock;
  log: Log;
  /** The precision of recorded times. */
  gatherMs: number;
  /** Records the use of all these. */
  write(used: readonly UsedCredential[], now: number): Promise<unknown>;
}

/** Notes which credentials were used, and records them periodically in one batch. */
export class CredentialUse {
  readonly #parts: CredentialUseParts;
  #used = new Map<string, string>();
  #timer: Timer | undefined;

  constructor(parts: CredentialUseParts) {
    this.#parts = parts;
  }

  note(accountId: string, id: string): void {
    this.#used.set(id, accountId);
    this.#timer ??= this.#parts.clock.setTimer(() => void this.flush(), this.#parts.gatherMs);
  }

  /** Writes what was noted. It may be lost: a request is never refused or delayed for it. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    const used = [...this.#used].map(([id, accountId]) => ({ accountId, id }));
    if (used.length === 0) return;
    this.#used = new Map();
    try {
      await this.#parts.write(used, this.#parts.clock.now());
    } catch (error) {
      this.#parts.log.warn({ err: error, credentials: used.length }, 'could not note the use of credentials');
    }
  }
}
