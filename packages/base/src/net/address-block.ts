import ipaddr from 'ipaddr.js';

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. Other texts are returned unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}::/64` : parsed.toString();
}

/** Where a client is, as far as its address alone tells: on this machine, in a private network, or on the Internet. */
export const networks = ['local', 'private', 'public'] as const;
export type Network = (typeof networks)[number];

const networkOfRange: Readonly<Record<string, Network>> = {
  loopback: 'local',
  private: 'private',
  uniqueLocal: 'private',
  linkLocal: 'private',
  carrierGradeNat: 'private',
  unicast: 'public',
};

/** The kind of network of an address; null for what is no address of a client. */
export function networkKindOf(address: string): Network | null {
  return ipaddr.isValid(address) ? (networkOfRange[ipaddr.process(address).range()] ?? null) : null;
}
