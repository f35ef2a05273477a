import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where a request comes from: the address of its connection, and what proxies have written into `X-Forwarded-For`. */
export interface Origin {
  remoteAddress: string;
  forwardedFor: string | undefined;
}

/** More proxies than anyone chains; entries further left were written by strangers. */
const maxHops = 16;

type Block = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address in one form: IPv4 inside of IPv6 is IPv4, and what a port or brackets stand around is taken out. Null for anything else. */
function readAddress(text: string): string | null {
  const bare = /^\[([^[\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 || bare.includes('%') ? null : ipaddr.process(bare).toString();
}

function isIn(address: string, blocks: readonly Block[]): boolean {
  const parsed = ipaddr.parse(address);
  return blocks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/**
 * Finds the address that a request really comes from. Each proxy writes on the right where its own request came from, so the
 * list is read from the right for as long as the address that wrote is trusted: the first that is not is the visitor. What is no
 * address ends the reading at the proxy that passed it on. Without trusted proxies the header means nothing.
 * @param trusted CIDR blocks
 */
export function createVisitorFinder(trusted: readonly string[]): (origin: Origin) => string {
  const blocks = trusted.map((block): Block => ipaddr.parseCIDR(block));
  return ({ remoteAddress, forwardedFor }) => {
    if (blocks.length === 0) return remoteAddress;
    let address = readAddress(remoteAddress) ?? remoteAddress;
    const hops = (forwardedFor ?? '').split(',').slice(-maxHops).toReversed();
    for (const hop of hops) {
      if (isIP(address) === 0 || !isIn(address, blocks)) return address;
      const next = readAddress(hop.trim());
      if (next === null) return address;
      address = next;
    }
    return address;
  };
}
