import type { Socket } from 'node:net';
import { createAddressLookup, askSystem } from './address-lookup.ts';
import { createAddressRules } from './address-rules.ts';
import { dial } from './safe-fetch-dial.ts';
import { Halt } from './safe-fetch-halt.ts';
import { hostOf, readTarget } from './safe-fetch-target.ts';
import type { SafeFetchOptions } from './safe-fetch.ts';

/** A connection to an allowed address; the caller closes it. */
export interface SafeConnection {
  socket: Socket;
  address: string;
}

/**
 * Connects to `host:port` by the rules of `safe-fetch` (docs/operate/outbound-requests.md): the name is resolved here, and the checked
 * address is the one that is dialed. Rejects with an `OutboundFault`.
 */
export type SafeConnect = (authority: string, signal: AbortSignal) => Promise<SafeConnection>;

const connectMs = 10_000;

/** The normalized host and port of an authority. Throws an `OutboundFault` if it is invalid. */
export function readAuthority(authority: string): { url: URL; host: string } {
  const url = readTarget(`http://${authority}/`, true);
  return { url, host: hostOf(url) };
}

export function createSafeConnect({ allow, clock, lookup }: SafeFetchOptions): SafeConnect {
  const rules = createAddressRules(allow);
  const ask = lookup ?? createAddressLookup({ fallback: allow.length > 0 ? askSystem : undefined });
  return async (authority, signal) => {
    const { url } = readAuthority(authority);
    const halt = new Halt(clock, signal);
    try {
      const connection = await dial(url, { rules, lookup: ask, connectMs, halt });
      signal.throwIfAborted();
      return connection;
    } finally {
      halt.end();
    }
  };
}
