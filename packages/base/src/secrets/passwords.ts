import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../fault.ts';
import { FairGate } from '../load/fair-gate.ts';

/** Computes Argon2id, the one slow operation. */
export type Argon2id = (parameters: Argon2Parameters) => Promise<Uint8Array>;

const argon2Async = promisify(argon2);
export const argon2id: Argon2id = (parameters) => argon2Async('argon2id', parameters);

/** OWASP's minimum recommendation for Argon2id: 19 MiB and two passes, some 50 ms on one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const [saltBytes, hashBytes] = [16, 32];

/** The most concurrent hashes. Each takes a thread of the pool that file access and DNS lookups share, so most of the pool stays free. */
const maxAtOnce = 2;
/** How many texts may wait to be hashed, for one owner and in total. A text counts toward both limits. */
const [maxPending, maxPendingOfAll] = [16, 512];

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/**
 * Hashes and verifies passwords. Only a few run at a time, in turn between owners: a flood of sign-ins from one address queues and is then
 * rejected, without slowing down the rest of the service or the sign-ins of others.
 */
export class Passwords {
  readonly #gate = new FairGate({ capacity: maxAtOnce });
  /** The number of queued or running hashes of each owner. */
  readonly #pending = new Map<string, number>();
  #pendingOfAll = 0;
  readonly #argon2id: Argon2id;

  constructor(derive = argon2id) {
    this.#argon2id = derive;
  }

  /**
   * The hash to store. Rejects with 503 `unavailable` while too many are queued.
   * @param owner who waits for it: an account, or the address of somebody who is signing in
   */
  async hash(password: string, owner: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#derive(password, salt, cost, owner);
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(hash)}`;
  }

  /** Whether `hashed` belongs to this password. For null it returns false after the same time. */
  async verify(password: string, hashed: string | null, owner: string): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', hash = ''] = stored.exec(hashed ?? '') ?? [];
    const known = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(hash, 'base64');
    const isKnown = expected.length === hashBytes;
    const nonce = isKnown ? Buffer.from(salt, 'base64') : Buffer.alloc(saltBytes);
    const found = await this.#derive(password, nonce, isKnown ? known : cost, owner);
    return isKnown && timingSafeEqual(found, expected);
  }

  async #derive(password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost, owner: string): Promise<Buffer> {
    // Keyboards differ in how they spell the same text.
    const message = password.normalize('NFKC');
    const parameters = { message, nonce, memory, passes, parallelism, tagLength: hashBytes };
    return Buffer.from(await this.#inTurn(owner, () => this.#argon2id(parameters)));
  }

  async #inTurn<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const pending = this.#pending.get(owner) ?? 0;
    if (pending >= maxPending || this.#pendingOfAll >= maxPendingOfAll) {
      throw new Fault('unavailable', 'Too many sign-ins at the moment; try again shortly.', { retryAfterS: 2 });
    }
    this.#count(owner, 1);
    try {
      return await this.#gate.run({ owner, signal: new AbortController().signal }, work);
    } finally {
      this.#count(owner, -1);
    }
  }

  #count(owner: string, change: 1 | -1): void {
    const pending = (this.#pending.get(owner) ?? 0) + change;
    this.#pendingOfAll += change;
    if (pending > 0) this.#pending.set(owner, pending);
    else this.#pending.delete(owner);
  }
}
