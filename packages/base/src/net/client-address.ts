import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The origin of a request: the address of its connection, and what proxies have added to `X-Forwarded-For`. */
export interface Origin {
  remoteAddress: string;
  forwardedFor: string | undefined;
}

/** More proxies than anyone chains; entries further left are client-supplied. */
const maxHops = 16;

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Normalizes an address: IPv4-mapped IPv6 becomes IPv4, ports and brackets are removed. Null for anything else. */
function readAddress(text: string): string | null {
  const bare = /^\[([^[\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 || bare.includes('%') ? null : ipaddr.process(bare).toString();
}

function isIn(address: string, blocks: readonly Block[]): boolean {
  const parsed = ipaddr.parse(address);
  return blocks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/**
 * Whether an address is that of a trusted proxy.
 * @param trusted CIDR blocks
 */
export function createProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const blocks = trusted.map((block): Block => ipaddr.parseCIDR(block));
  return (address) => {
    const plain = readAddress(address);
    return plain !== null && isIn(plain, blocks);
  };
}

/**
 * Finds the real client address of a request. Each proxy appends the address that it received the request from, so the list is read from
 * the right while the sender is trusted: the first untrusted address is the client. An invalid entry ends the search at the proxy that
 * passed it on. Without trusted proxies the header is ignored.
 * @param trusted CIDR blocks
 */
export function createVisitorFinder(trusted: readonly string[]): (origin: Origin) => string {
  const isProxy = createProxyCheck(trusted);
  return ({ remoteAddress, forwardedFor }) => {
    if (trusted.length === 0) return remoteAddress;
    let address = readAddress(remoteAddress) ?? remoteAddress;
    const hops = (forwardedFor ?? '').split(',').slice(-maxHops).toReversed();
    for (const hop of hops) {
      if (!isProxy(address)) return address;
      const next = readAddress(hop.trim());
      if (next === null) return address;
      address = next;
    }
    return address;
  };
}
