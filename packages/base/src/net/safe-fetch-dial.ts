import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AddressLookup } from './address-lookup.ts';
import type { AddressRules } from './address-rules.ts';
import { describeCause, OutboundFault } from './outbound-fault.ts';
import type { Halt } from './safe-fetch-halt.ts';
import { hostOf, portOf } from './safe-fetch-target.ts';

export interface Dialling {
  lookup: AddressLookup;
  rules: AddressRules;
  /** Time limit for DNS, connection, and TLS together. */
  connectMs: number;
  halt: Halt;
}

export interface Dialled {
  socket: Socket;
  /** The checked remote address. */
  address: string;
}

/** Maximum number of addresses tried per host; all are checked. */
const maxTries = 4;

/** A connection to the URL's host, with TLS for https, to an address that the rules allow. */
export async function dial(url: URL, { lookup, rules, connectMs, halt }: Dialling): Promise<Dialled> {
  halt.check();
  const host = hostOf(url);
  const limit = halt.limit(connectMs, `${host} could not be reached in time`);
  const endsAt = halt.monotonic() + connectMs;
  const found = isIP(host) === 0 ? await halt.race(lookup(host, halt.signal)) : [host];
  const addresses = checkAddresses(host, found, rules).slice(0, maxTries);
  const dialled = await connectFirst(host, portOf(url), { addresses, endsAt, halt });
  const socket = url.protocol === 'https:' ? await secure(dialled.socket, host, halt) : dialled.socket;
  limit.cancel();
  return { ...dialled, socket };
}

/** One forbidden address rejects the whole name: a legitimate host has no reason to mix them. */
function checkAddresses(host: string, addresses: readonly string[], rules: AddressRules): readonly string[] {
  for (const address of addresses) {
    const family = rules.refuse(address);
    if (family === null) continue;
    throw new OutboundFault('blocked', `the host ${host} resolves to an address that is not public`, {
      detail: `${address}: ${family}`,
    });
  }
  return addresses;
}

interface Tries {
  addresses: readonly string[];
  endsAt: number;
  halt: Halt;
}

/** Tries one address after another; each gets its share of the remaining time. */
async function connectFirst(host: string, port: number, { addresses, endsAt, halt }: Tries): Promise<Dialled> {
  const failures: string[] = [];
  for (const [index, address] of addresses.entries()) {
    const others = addresses.length - index - 1;
    const shareMs = (endsAt - halt.monotonic()) / (others + 1);
    try {
      return { socket: await openSocket(address, port, others > 0 ? shareMs : null, halt), address };
    } catch (error) {
      halt.check();
      failures.push(`${address}: ${describeCause(error)}`);
    }
  }
  throw new OutboundFault('connect', `the host ${host} refuses connections on port ${port}`, { detail: failures.join(', ') });
}

/** @param shareMs null for all the remaining time of the request */
async function openSocket(address: string, port: number, shareMs: number | null, halt: Halt): Promise<Socket> {
  // For a literal address nothing is looked up; this function guarantees it.
  const socket = connect({ host: address, port, family: isIP(address), lookup: refuseLookup, noDelay: true });
  halt.guard(socket);
  const timer =
    shareMs === null ? null : halt.schedule(() => socket.destroy(new Error('no answer in its share of time')), shareMs);
  try {
    await settleConnection(socket, 'connect');
    return socket;
  } finally {
    timer?.cancel();
  }
}

function refuseLookup(): never {
  throw new Error('only checked addresses are dialled');
}

/** When `socket` ends, so does the TLS stream over it: nothing else has to be guarded. */
async function secure(socket: Socket, host: string, halt: Halt): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
  try {
    await settleConnection(secured, 'secureConnect');
    return secured;
  } catch (error) {
    halt.check();
    const detail = describeCause(error);
    const problem = isCertificateProblem(detail) ? 'has no valid certificate' : 'offers no proper TLS connection';
    throw new OutboundFault('tls', `the host ${host} ${problem}`, { detail });
  }
}

function isCertificateProblem(code: string): boolean {
  return /CERT|ALTNAME|SELF_SIGNED|ISSUER|CRL|SIGNATURE/.test(code);
}

/** The error listener stays: errors of a socket destroyed later would otherwise be unhandled. */
function settleConnection(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    socket.once(event, resolve);
  });
}
