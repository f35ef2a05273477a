import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block such as 10.0.0.0/8, parsed. */
type Block = [Address, number];

/** Decides which addresses may be dialed. */
export interface AddressRules {
  /** Null if the address may be dialed; otherwise its kind, in one or two words for the log. */
  refuse(address: string): string | null;
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Formally public addresses with special purposes. */
const furtherBlocks: readonly (readonly [name: string, block: Block])[] = [
  ['platformService', ipaddr.parseCIDR('168.63.129.16/32')],
  ['ipv4Compatible', ipaddr.parseCIDR('::/96')],
];

function isIn(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** An interface identifier that contains an IPv4 address for a tunnel (RFC 5214). */
function isIsatap(address: Address): boolean {
  if (address.kind() === 'ipv4') return false;
  const [, , , , flags = 0, marker] = (address as ipaddr.IPv6).parts;
  return marker === 0x5efe && (flags & 0xfdff) === 0;
}

/**
 * Strict: four decimal numbers, or an IPv6 address without a zone. IPv6 is normalized first, because ipaddr.js interprets `::127.0.0.1`
 * differently than sockets do.
 */
function parseAddress(text: string): Address | null {
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.parse(text);
    case 6: {
      const plain = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
      return plain === undefined ? null : ipaddr.IPv6.parse(plain);
    }
    default:
      return null;
  }
}

/** `unicast` for a public address; otherwise the name of its range. */
function findFamily(address: Address): string {
  const range = address.range();
  if (range !== 'unicast') return range;
  const further = furtherBlocks.find(([, block]) => isIn(address, block));
  if (further) return further[0];
  if (isIsatap(address)) return 'isatap';
  return address.kind() === 'ipv4' || isIn(address, globalUnicast) ? range : 'unallocated';
}

function toIpv4(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** The IPv4 address that a translator or tunnel would forward to, or null. */
function findEmbedded(address: Address, family: string): ipaddr.IPv4 | null {
  if (address.kind() === 'ipv4') return null;
  const [, p1 = 0, p2 = 0, , , , p6 = 0, p7 = 0] = (address as ipaddr.IPv6).parts;
  switch (family) {
    case 'ipv4Mapped':
    case 'ipv4Compatible':
    case 'rfc6145':
    case 'rfc6052':
    case 'isatap':
      return toIpv4(p6, p7);
    case '6to4':
      return toIpv4(p1, p2);
    case 'teredo':
      return toIpv4(p6 ^ 0xffff, p7 ^ 0xffff);
    default:
      return null;
  }
}

function listOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
}

/**
 * Allows public unicast addresses, and those inside the `allow` blocks (CIDR). A block does not open an IPv6 address that embeds an IPv4
 * address unless that is allowed too. Public addresses of this machine are blocked like its private ones: a firewall in front of the
 * machine does not see its traffic to itself.
 */
export function createAddressRules(allow: readonly string[], ownAddresses = listOwnAddresses): AddressRules {
  const blocks = allow.map((block): Block => ipaddr.parseCIDR(block));

  function refuse(address: Address): string | null {
    const family = findFamily(address);
    const problem = family === 'unicast' ? refuseOwn(address) : family;
    if (problem === null || !blocks.some((block) => isIn(address, block))) return problem;
    const embedded = findEmbedded(address, family);
    return embedded && refuse(embedded) !== null ? problem : null;
  }

  function refuseOwn(address: Address): string | null {
    const text = address.toString();
    return ownAddresses().some((own) => parseAddress(own)?.toString() === text) ? 'own' : null;
  }

  return {
    refuse(text) {
      const address = parseAddress(text);
      return address ? refuse(address) : 'malformed';
    },
  };
}
