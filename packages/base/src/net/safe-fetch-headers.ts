import { validateHeaderName, validateHeaderValue } from './node-http.ts';
import { OutboundFault } from './outbound-fault.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers that frame a message or that this service sets; a caller could use them to smuggle a second request. */
const ownHeaders =
  /^(accept-encoding|connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Headers kept on a redirect to another origin: all others may be meant for the first only. */
const portableHeaders = /^(accept|accept-language|user-agent)$/i;

/** Throws if a header is invalid or must not be set. */
export function checkHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.test(name)) throw new OutboundFault('blocked', `the header ${name.toLowerCase()} must not be set`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      throw new OutboundFault('blocked', 'a header contains characters that cannot be sent', { cause });
    }
  }
}

export function keepPortable(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => portableHeaders.test(name)));
}

/** The complete headers of a message: no compression, and a connection closed after it. */
export function frameHeaders(url: URL, headers: Headers, body: Buffer | string | undefined): Headers {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return { ...headers, ...length, host: url.host, 'accept-encoding': 'identity', connection: 'close' };
}
