import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '@errand/base/fault.ts';
import type { IdempotencyKey } from '../../store/db/database.ts';

interface Request {
  headers: IncomingHttpHeaders;
  body: Buffer | undefined;
  accountId: string;
  /** The person for whom the request acts, who shares no keys with others. */
  user?: string | null;
  now: number;
}

/** What an operation must supply for its key to be stored. */
interface Keyed {
  name: string;
  method: string;
  hasSecret?: boolean;
}

/** The caller's `Idempotency-Key` with its request, null if there is none (docs/reference/choices.md#idempotency). */
export function readIdempotencyKey(
  operation: Keyed,
  { headers, body, accountId, user = null, now }: Request,
): IdempotencyKey | null {
  const key = headers['idempotency-key'];
  if (key === undefined || operation.method === 'GET' || operation.method === 'DELETE') return null;
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  }
  if (operation.hasSecret) {
    throw invalidField('Idempotency-Key', 'cannot be used here, because a secret is sent or shown');
  }
  const own = user === null ? key : `user ${hash('sha256', `${user}\0${key}`)}`;
  return { accountId, key: own, operation: operation.name, bodyDigest: hash('sha256', body ?? Buffer.alloc(0)), now };
}
