import { cleanContentType } from '../files/content-safety.ts';

/** What a server in a sandbox learns of a request: nothing that identifies a person, and no credential. */
const passedOn = /^(?:accept|accept-language|range|if-range|x-requested-with|hx-[a-z-]{1,40})$/;

export function passRequestHeaders(
  headers: Readonly<Record<string, unknown>>,
  contentType: string | undefined,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (pair): pair is [string, string] => passedOn.test(pair[0]) && typeof pair[1] === 'string',
  );
  return { ...Object.fromEntries(kept), ...(contentType !== undefined && { 'content-type': contentType }) };
}

/** Headers of its answers that pass if they look like this. All others are dropped, with cookies, policies, and requests for passwords. */
const forms: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d{1,12}$/,
  'content-encoding': /^(?:gzip|br|deflate)$/,
  'content-range': /^bytes (?:\d{1,12}-\d{1,12}|\*)\/(?:\d{1,12}|\*)$/,
  'accept-ranges': /^(?:bytes|none)$/,
  'content-disposition': /^(?:inline|attachment)(?:; ?filename="[\w .()-]{1,100}")?$/,
};

const ownHosts = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]']);

/** Where on the same server a redirect leads, from its root on; null if it leads anywhere else. */
function readLocation(location: string, path: string, port: number): string | null {
  const base = `http://localhost:${port}`;
  const url = URL.canParse(location, base + path) ? new URL(location, base + path) : null;
  const isOwn = url?.protocol === 'http:' && ownHosts.has(url.hostname) && Number(url.port || 80) === port && url.username === '';
  return isOwn ? url.pathname + url.search + url.hash : null;
}

/** What of the headers of an answer passes; null for a redirect to another server. Its `location` is a path. */
export function passAnswerHeaders(
  headers: Readonly<Record<string, unknown>>,
  { path, port }: { path: string; port: number },
): Record<string, string> | null {
  const kept: Record<string, string> = {};
  for (const [name, form] of Object.entries(forms)) {
    const value = headers[name];
    if (typeof value === 'string' && form.test(value)) kept[name] = value;
  }
  const { 'content-type': type, location } = headers;
  if (typeof type === 'string') kept['content-type'] = cleanContentType(type);
  if (typeof location !== 'string') return kept;
  const place = readLocation(location, path, port);
  return place === null ? null : { ...kept, location: place };
}

/** A page of the sandbox runs in an opaque origin, reaches its own server and nothing else, and opens no window. */
export function writePreviewPolicy(url: string): string {
  const own = `${url} data: blob:`;
  return [
    'sandbox allow-scripts allow-forms allow-modals allow-downloads allow-pointer-lock',
    `default-src ${own} 'unsafe-inline' 'unsafe-eval'`,
    "object-src 'none'",
    `form-action ${url}`,
    `base-uri ${url}`,
    "webrtc 'block'",
  ].join('; ');
}
