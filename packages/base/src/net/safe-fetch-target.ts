import { OutboundFault } from './outbound-fault.ts';

/** Ports that browsers block too (Fetch Standard, "port blocking"): their services may interpret an HTTP request as their own protocol. */
const closedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
]);

const maxUrlLength = 8_192;

function refuse(problem: string): OutboundFault {
  return new OutboundFault('blocked', problem);
}

/** The target of a request: an http or https URL without credentials, on a port where HTTP may be expected. */
export function readTarget(text: string, allowHttp: boolean, base?: URL): URL {
  if (text.length > maxUrlLength) throw refuse(`must have at most ${maxUrlLength} characters`);
  const url = URL.parse(text, base?.href);
  if (!url) throw refuse('must be a complete web address');
  if (url.protocol === 'http:' && !allowHttp) throw refuse('must begin with https://, not with http://');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('must begin with https://');
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user name or password');
  if (closedPorts.has(portOf(url))) throw refuse(`must not use port ${url.port}`);
  return url;
}

/** The target of a redirect. */
export function readRedirect(location: string, allowHttp: boolean, from: URL): URL {
  try {
    return readTarget(location, allowHttp, from);
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    throw refuse(`the host ${hostOf(from)} redirects to an address that ${error.message}`);
  }
}

/** The port as a number, also if the URL omits it. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host as name servers, certificates and sockets use it: no brackets, no trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
