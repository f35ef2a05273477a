import { isIP, type Socket } from 'node:net';
import { createAddressLookup, askSystem } from './address-lookup.ts';
import { createAddressRules } from './address-rules.ts';
import { OutboundFault } from './outbound-fault.ts';
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

/**
 * Connects to the host of a URL by the same rules, with TLS for https. Plain http is refused unless blocks of private addresses are open.
 * Rejects with an `OutboundFault`. The caller closes the socket.
 */
export type SafeDial = (url: URL, signal?: AbortSignal) => Promise<Socket>;

const connectMs = 10_000;

/** The normalized host and port of an authority. Throws an `OutboundFault` if it is invalid. */
export function readAuthority(authority: string): { url: URL; host: string } {
  const url = readTarget(`http://${authority}/`, true);
  return { url, host: hostOf(url) };
}

/**
 * Throws an `OutboundFault` for a URL that no connection could reach by these rules: no web address, or one whose host is a forbidden address.
 * Where a name leads, only a connection shows.
 */
export function checkTarget(text: string, allow: readonly string[]): void {
  const host = hostOf(readTarget(text, allow.length > 0));
  const address = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host;
  if (isIP(address) === 0 || createAddressRules(allow).refuse(address) === null) return;
  throw new OutboundFault('blocked', 'must lead to a public address');
}

function openRules({ allow, lookup }: SafeFetchOptions) {
  const ask = lookup ?? createAddressLookup({ fallback: allow.length > 0 ? askSystem : undefined });
  return { rules: createAddressRules(allow), lookup: ask };
}

export function createSafeConnect(options: SafeFetchOptions): SafeConnect {
  const parts = openRules(options);
  return async (authority, signal) => {
    const { url } = readAuthority(authority);
    const halt = new Halt(options.clock, signal);
    try {
      const connection = await dial(url, { ...parts, connectMs, halt });
      signal.throwIfAborted();
      return connection;
    } finally {
      halt.end();
    }
  };
}

export function createSafeDial(options: SafeFetchOptions): SafeDial {
  const parts = openRules(options);
  return async (given, signal) => {
    const url = readTarget(given.href, options.allow.length > 0);
    const halt = new Halt(options.clock, signal);
    try {
      return (await dial(url, { ...parts, connectMs, halt })).socket;
    } finally {
      halt.end();
    }
  };
}
