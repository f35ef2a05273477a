import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:tls';
import { takeFiles } from '../../src/api/messages/message-attachments.ts';
import type { FilePart } from '../../src/api/messages/message-part.ts';
import type { Context } from '../../src/api/contract/operation.ts';
import { createAddressLookup } from '@errand/base/net/address-lookup.ts';
import { systemClock } from '@errand/base/clock.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { createSafeConnect } from '@errand/base/net/safe-connect.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { createSafeFetch, type SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { readCertificate } from './certificates.ts';
import { DnsServer } from './dns-server.ts';
import { ownAddress } from './namespace.ts';
import { RawServer } from './raw-server.ts';
import { answerForms, closedHosts, closedNames, closedUrls, openHosts, publicFour, rebindingName } from './url-forms.ts';

// Runs in a network in which every address leads to the traps below (see namespace.ts) and prints what they caught.

const ports = [80, 443];
const tlsPort = 8443;
const caught = new Map<string, number>();
let tlsRequestCount = 0;

function noteCatch(socket: Socket): void {
  const address = socket.localAddress?.replace('::ffff:', '') ?? 'unknown';
  caught.set(address, (caught.get(address) ?? 0) + 1);
}

/** Takes what was caught since the last time. */
function takeCatch(): Record<string, number> {
  const taken = Object.fromEntries(caught);
  caught.clear();
  return taken;
}

/** Answers `/to/X` with a redirect to X, anything else with 200. */
function answer(socket: Socket): void {
  noteCatch(socket);
  socket.once('data', (bytes: Buffer) => {
    const target = /^GET \/to\/(\S*)/.exec(bytes.toString('latin1'))?.[1];
    const head = target === undefined ? '200 OK' : `302 Found\r\nLocation: ${decodeURIComponent(target)}`;
    socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 0\r\n\r\n`);
  });
}

async function listen(): Promise<void> {
  for (const port of ports) await RawServer.start(answer, '::', port);
  const options = { key: readCertificate('key'), cert: readCertificate('self-signed') };
  const server = createTlsServer(options, (socket) => {
    socket.on('error', () => {}).on('data', () => (tlsRequestCount += 1));
  });
  server.on('tlsClientError', () => {}).listen(tlsPort, '::');
  await once(server, 'listening');
}

/** The kind of fault, or the status. */
async function probe(httpClient: SafeFetch, url: string, redirects = 0): Promise<string> {
  const limits = { totalMs: 30_000, connectMs: 10_000, maxBytes: 1000 };
  const request = { url, method: 'GET', allowHttp: true, redirects, ...limits } as const;
  return httpClient.request(request).then(
    ({ status }) => String(status),
    (error: unknown) => (error instanceof OutboundFault ? error.kind : String(error)),
  );
}

async function probeAll(httpClient: SafeFetch, urls: readonly string[], redirects = 0): Promise<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const url of urls) verdicts[url] = await probe(httpClient, url, redirects);
  return verdicts;
}

/** Reaches the traps without the door, to show that they are there. */
async function reachDirectly(addresses: readonly string[]): Promise<Record<string, number>> {
  for (const address of addresses) {
    const socket = connect(80, address);
    await once(socket, 'connect');
    socket.end('GET / HTTP/1.1\r\n\r\n').resume();
    await once(socket, 'close');
  }
  return takeCatch();
}

/** What becomes of messages that name these addresses as files: the field that is refused, or what was attached. */
async function attachAll(urls: readonly string[]): Promise<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const url of urls) {
    const part: FilePart = { field: 'part', isVoice: false, source: { kind: 'url', url }, filename: 'a.bin', contentType: null };
    const blobs = { put: () => Promise.reject(new Error('stored')) };
    const intake = { httpClient, blobs, fetches: new FairGate({ capacity: 1 }), clock: systemClock };
    const { signal } = new AbortController();
    const context = { principal: { accountId: 'a' }, intake, signal, outwardSignal: signal } as unknown as Context;
    verdicts[url] = await takeFiles([part], context, false).then(
      () => 'attached',
      (error: Error) => error.message.split(' ', 1)[0] ?? '',
    );
  }
  return verdicts;
}

await listen();
const dns = await DnsServer.start(answerForms, '127.0.0.1', 53);
const httpClient = createSafeFetch({ allow: [], clock: systemClock, lookup: createAddressLookup({ servers: [dns.address] }) });
const safeConnect = createSafeConnect({ allow: [], clock: systemClock, lookup: createAddressLookup({ servers: [dns.address] }) });
const hosts = [...Object.values(closedHosts).flat(), ...closedNames];
const closed = [...hosts.flatMap((host) => [`http://${host}/`, `https://${host}/`]), ...Object.values(closedUrls).flat()];
// In a redirect, anything but an absolute URL is relative to the previous one; and headers carry only ASCII.
const whole = closed.filter((url) => /^[a-z+]+:[!-~]*$/i.test(url));
const viaRedirect = whole.map((url) => `http://${publicFour}/to/${encodeURIComponent(url)}`);

/** The way out of commands and of the browser: by host and port, as a proxy is asked for them. */
async function probeAuthority(authority: string): Promise<string> {
  try {
    (await safeConnect(authority, new AbortController().signal)).socket.destroy();
    return 'connected';
  } catch (error) {
    return error instanceof OutboundFault ? error.kind : String(error);
  }
}

async function probeAuthorities(names: readonly string[]): Promise<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const name of names) for (const port of ports) verdicts[`${name}:${port}`] = await probeAuthority(`${name}:${port}`);
  return verdicts;
}

const report = {
  direct: await reachDirectly([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
    '64:ff9b::7f00:1',
    '2002:7f00:1::1',
  ]),
  open: await probeAll(
    httpClient,
    Object.keys(openHosts).map((host) => `http://${host}/`),
  ),
  openCatch: takeCatch(),
  closed: await probeAll(httpClient, closed),
  closedCatch: takeCatch(),
  redirected: await probeAll(httpClient, viaRedirect, 5),
  redirectedCatch: takeCatch(),
  attached: await attachAll(closed),
  attachedCatch: takeCatch(),
  rebinding: [await probe(httpClient, `http://${rebindingName}/`), await probe(httpClient, `http://${rebindingName}/`)],
  rebindingCatch: takeCatch(),
  tunnelled: await probeAuthorities(hosts),
  tunnelledCatch: takeCatch(),
  own: await probe(httpClient, `http://${ownAddress}/`),
  ownCatch: takeCatch(),
  untrusted: await probe(httpClient, `https://${publicFour}:${tlsPort}/`),
  tlsRequestCount,
};
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit());
