import { pause } from '@errand/base/clock.ts';
import { networkOf } from '@errand/base/net/address-block.ts';
import { type Attempt, clearAttempts, takeAttempt } from '../../../store/accounts/sign-in-attempts.ts';
import type { PageParts } from '../../request/web-request.ts';

const windowMs = 15 * 60 * 1000;

/** How long an attempt waits while an account is guessed at from many addresses. */
const delayMs = 5000;

interface SignInAttempts {
  /** Attempts on one account from one address. */
  own: Attempt;
  /** Attempts from one address. */
  address: Attempt;
  /** Attempts on one account from anywhere. */
  account: Attempt;
  /** Attempts on one account from one address, while there are too many from anywhere. */
  delayed: Attempt;
}

function attemptsOf(email: string, remoteAddress: string): SignInAttempts {
  const from = networkOf(remoteAddress);
  return {
    own: { name: `sign-in ${email} from ${from}`, count: 10, windowMs },
    address: { name: `sign-in from ${from}`, count: 200, windowMs },
    account: { name: `sign-in ${email}`, count: 100, windowMs },
    delayed: { name: `sign-in ${email} delayed from ${from}`, count: 2, windowMs },
  };
}

/**
 * The limits on passwords, over all processes. Strangers must not lock the owner out: beyond its limit an account accepts fewer attempts
 * from each address, and later, but never none. Rejected attempts do not count.
 */
export class SignInPace {
  readonly #parts: Pick<PageParts, 'database' | 'clock'>;

  constructor(parts: Pick<PageParts, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Counts an attempt and returns 0, possibly after a delay; or returns the seconds until a retry. */
  async take(email: string, remoteAddress: string): Promise<number> {
    const { database, clock } = this.#parts;
    const { own, address, account, delayed } = attemptsOf(email, remoteAddress);
    const waitS = await database.run(takeAttempt, [own, address]);
    if (waitS > 0) return waitS;
    if ((await database.run(takeAttempt, [account])) === 0) return 0;
    const delayedWaitS = await database.run(takeAttempt, [delayed]);
    if (delayedWaitS === 0) await pause(clock, delayMs);
    return delayedWaitS;
  }

  /** Resets the counts of whoever has given the right password. */
  async clear(email: string, remoteAddress: string): Promise<void> {
    const { own, delayed } = attemptsOf(email, remoteAddress);
    for (const { name } of [own, delayed]) await this.#parts.database.run(clearAttempts, name);
  }
}
