import ipaddr from 'ipaddr.js';

/** What one person has of addresses: an IPv4 address, or the /64 that a line has with IPv6. Other texts stay as they are. */
export function neighbourhoodOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}::/64` : parsed.toString();
}
