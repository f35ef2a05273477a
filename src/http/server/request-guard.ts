import type { IncomingMessage } from 'node:http';
import { invalidField } from '@errand/base/fault.ts';

/** Headers with a meaning here; if duplicated, two parsers could choose differently. */
const single =
  /^(host|authorization|content-type|content-encoding|idempotency-key|last-event-id|x-errand-(account|chat)|api_key|x-[a-z0-9-]+-api-key)$/;
const spoken = new Set(['1.0', '1.1']);
const hostForm = /^[\w.:[\]%~-]+$/;

function checkDuplicates({ rawHeaders }: IncomingMessage): void {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (seen.has(name) && single.test(name)) throw invalidField(name, 'must be sent only once');
    seen.add(name);
  }
}

/** Rejects requests that a proxy in front of the service could have interpreted differently. */
export function checkRequest(request: IncomingMessage): void {
  const { headers, url = '' } = request;
  // The parser accepts any HTTP version, and a request line without one.
  if (!spoken.has(request.httpVersion)) throw invalidField('HTTP version', 'must be 1.1 or 1.0');
  if (!url.startsWith('/')) throw invalidField('request target', 'must be a path');
  const isHostNeeded = request.httpVersion === '1.1';
  if (headers.host === undefined ? isHostNeeded : !hostForm.test(headers.host)) throw invalidField('host', 'must be a host name');
  if (request.rawHeaders.length !== 2 * Object.keys(headers).length) checkDuplicates(request);
  const { 'content-encoding': encoding } = headers;
  if (encoding !== undefined && encoding !== 'identity') throw invalidField('content-encoding', 'is not supported');
}
