import type { IncomingMessage } from 'node:http';
import { Fault } from '@errand/base/fault.ts';

/** The credential of a request: an API key with the family of its header, or an access token. */
export type Credential = { kind: 'api_key'; secret: string; family: string } | { kind: 'bearer'; secret: string };

/** How the keys of programs begin that administer the instance. */
export const instanceKeyPrefix = 'si-';

/** Clients that know only `Authorization` send the key there. No access token begins like this. */
const keyForm = /^s[ik]-/;

/** RFC 6750, section 2.1, with the length an access token can have here. */
const bearerForm = /^Bearer +([\w.~+/-]{1,4096}=*)$/i;

function readBearer(authorization: string): Credential {
  const [, secret] = bearerForm.exec(authorization) ?? [];
  if (secret === undefined)
    throw new Fault('unauthenticated', 'invalid token: Authorization must be "Bearer" and an access token');
  return keyForm.test(secret) ? { kind: 'api_key', secret, family: 'service' } : { kind: 'bearer', secret };
}

/** The API key in `Authorization`; null if there is something else or nothing. */
export function readBearerKey({ headers }: IncomingMessage): string | null {
  const [, secret] = bearerForm.exec(headers.authorization ?? '') ?? [];
  return secret !== undefined && keyForm.test(secret) ? secret : null;
}

/** Whether a request carries a program's credential, valid or not. */
export function hasCredential({ headers }: IncomingMessage, families: readonly string[]): boolean {
  return headers.authorization !== undefined || families.some((family) => headers[`x-${family}-api-key`] !== undefined);
}

/** Exactly one credential: an access token or key in `Authorization`, or a key in a header `x-<family>-api-key` (docs/reference/api.md#authentication). */
export function readCredential({ headers }: IncomingMessage, families: readonly string[]): Credential {
  const { authorization } = headers;
  let found: Credential | null = null;
  let count = authorization === undefined ? 0 : 1;
  for (const family of families) {
    const secret = headers[`x-${family}-api-key`];
    if (typeof secret !== 'string') continue;
    found = { kind: 'api_key', secret, family };
    count++;
  }
  if (count > 1) throw new Fault('invalid_argument', 'Send one credential: either an API key header or Authorization, not both.');
  if (authorization !== undefined) return readBearer(authorization);
  if (!found) throw new Fault('unauthenticated', 'missing authentication');
  return found;
}
