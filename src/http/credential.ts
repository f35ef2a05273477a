import type { IncomingMessage } from 'node:http';
import { Fault } from '../base/fault.ts';

/** An API key as it was sent, and the family of the header that carried it. */
export interface Credential {
  key: string;
  family: string;
}

/**
 * Exactly one API key in one of the headers `x-<family>-api-key` (specification, "Authentication"). Nobody has an OAuth token
 * yet, so no bearer is valid; an API key is not one either.
 */
export function readCredential(request: IncomingMessage, families: readonly string[]): Credential {
  const { headers } = request;
  let found: Credential | null = null;
  let count = headers.authorization === undefined ? 0 : 1;
  for (const family of families) {
    const key = headers[`x-${family}-api-key`];
    if (typeof key !== 'string') continue;
    found = { key, family };
    count++;
  }
  if (count === 0) throw new Fault('unauthenticated', 'missing authentication');
  if (count > 1) throw new Fault('invalid_argument', 'Send one credential: either an API key header or Authorization, not both.');
  if (!found) throw new Fault('unauthenticated', 'invalid token');
  return found;
}
