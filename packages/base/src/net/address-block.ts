import ipaddr from 'ipaddr.js';

/** The addresses of one client: an IPv4 address, or the /64 of an IPv6 address. Other texts are returned unchanged. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}::/64` : parsed.toString();
}
