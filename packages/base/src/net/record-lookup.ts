import { Resolver } from 'node:dns/promises';

/** The records that prove who sends a mail. */
export const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'PTR', 'TXT'] as const;
export type RecordType = (typeof recordTypes)[number];

/**
 * The records of a name, in the forms of `node:dns`. Rejects with its errors, whose `code` distinguishes a name without them (`ENOTFOUND`,
 * `ENODATA`) from servers that do not answer. `signal` ends it early.
 */
export type RecordLookup = (name: string, type: RecordType, signal: AbortSignal) => Promise<unknown>;

/**
 * Queries name servers as `createAddressLookup` does, and nothing but those.
 * @param servers as `address:port`; default: those of the system
 */
export function createRecordLookup(servers?: readonly string[]): RecordLookup {
  return async (name, type, signal) => {
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await resolver.resolve(name, type);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}
