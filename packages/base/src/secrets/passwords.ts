import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../fault.ts';

const argon2Async = promisify(argon2);

/** OWASP's minimum recommendation for Argon2id: 19 MiB and two passes, some 50 ms on one core. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 };
const [saltBytes, hashBytes] = [16, 32];

/** Each takes a thread of the pool that file access and DNS lookups share, so most of it stays free. */
const maxAtOnce = 2;
const maxWaiting = 32;

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

async function derive(password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost): Promise<Buffer> {
  // Keyboards differ in how they encode the same text.
  const message = password.normalize('NFKC');
  return Buffer.from(await argon2Async('argon2id', { message, nonce, memory, passes, parallelism, tagLength: hashBytes }));
}

/**
 * Hashes and verifies passwords. Only a few run at a time: a flood of sign-ins queues and is then rejected, without slowing down the rest
 * of the service.
 */
export class Passwords {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];

  /** The hash to store. Rejects with 503 `unavailable` while too many are queued. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#inTurn(() => derive(password, salt, cost));
    return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(hash)}`;
  }

  /** Whether `hashed` belongs to this password. For null it returns false after the same time. */
  async verify(password: string, hashed: string | null): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', hash = ''] = stored.exec(hashed ?? '') ?? [];
    const known = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(hash, 'base64');
    const isKnown = expected.length === hashBytes;
    const nonce = isKnown ? Buffer.from(salt, 'base64') : Buffer.alloc(saltBytes);
    const found = await this.#inTurn(() => derive(password, nonce, isKnown ? known : cost));
    return isKnown && timingSafeEqual(found, expected);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#atWork >= maxAtOnce) {
      if (this.#waiting.length >= maxWaiting) {
        throw new Fault('unavailable', 'Too many sign-ins at the moment; try again shortly.', { retryAfterS: 2 });
      }
      // The slot is passed on, so the count stays unchanged.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#atWork++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#atWork--;
    }
  }
}
