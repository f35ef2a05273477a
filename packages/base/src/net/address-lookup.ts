import { lookup, Resolver } from 'node:dns/promises';
import { describeCause, OutboundFault } from './outbound-fault.ts';

/**
 * All addresses of a host name, in the order in which to try them. Rejects with an `OutboundFault` of kind `dns` if there are none.
 * `signal` ends it early, with any error.
 */
export type AddressLookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

interface LookupOptions {
  /** Name servers as `address:port`; default: those of the system. */
  servers?: readonly string[];
  /** Fallback for names unknown to the name servers; returns no addresses if it does not know them either. */
  fallback?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

interface ServerAnswers {
  addresses: readonly string[];
  /** Error codes, if there are no addresses. */
  failures: readonly string[];
}

/** A name that does not exist, has no address, or is invalid; other errors may be temporary. */
const unknownName = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Queries name servers directly instead of `getaddrinfo`: that uses two threads for the whole process, which two names with an unresponsive
 * name server would block for many seconds. A new resolver for each call picks up changes of the system's servers and can be cancelled
 * alone.
 */
export function createAddressLookup({ servers, fallback }: LookupOptions): AddressLookup {
  async function askServers(hostname: string, signal: AbortSignal): Promise<ServerAnswers> {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.removeEventListener('abort', cancel);
    const [four = [], six = []] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [describeCause(answer.reason)] : []));
    return { addresses: alternate(four, six), failures };
  }

  return async (hostname, signal) => {
    if (/(^|\.)localhost$/.test(hostname)) return ['127.0.0.1', '::1'];
    const { addresses, failures } = await askServers(hostname, signal);
    if (addresses.length > 0) return addresses;
    const isUnknown = failures.every((failure) => unknownName.has(failure));
    const isWithoutServers = failures.every((failure) => failure === 'ECONNREFUSED');
    const local = fallback && (isUnknown || isWithoutServers) ? await fallback(hostname) : [];
    if (local.length > 0) return local;
    const problem = isUnknown ? 'has no address' : 'could not be looked up; its name servers do not answer properly';
    throw new OutboundFault('dns', `the host ${hostname} ${problem}`, { detail: failures.join(', ') });
  };
}

/** Alternates the families: a machine with only one of them does not waste all its attempts on the other. */
function alternate(first: readonly string[], second: readonly string[]): readonly string[] {
  const longest = first.length > second.length ? first : second;
  return longest.flatMap((_, index) => [...first.slice(index, index + 1), ...second.slice(index, index + 1)]);
}

/** Resolves a name like any other program on this machine: hosts file, search domains, local names. Empty if it cannot be resolved. */
export async function askSystem(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
