import { isLoopbackName } from '@errand/base/net/loopback-name.ts';

/** Schemes that make a browser run or open something instead of navigating. */
const forbiddenSchemes = new Set(['javascript', 'data', 'file', 'about', 'vbscript', 'blob', 'filesystem', 'view-source']);

const longest = 2000;

/** Maximum redirect URIs of an application. */
export const maxRedirectUris = 20;

/**
 * Why an application cannot be registered with this redirect URI, or null. It must be absolute and plain ASCII, because it is
 * compared character by character and written into a header unchanged. Custom schemes are allowed.
 */
export function findRedirectProblem(uri: string): string | null {
  if (uri.length > longest) return `must have at most ${longest} characters`;
  if (!/^[!-~]+$/.test(uri)) return 'must be plain ASCII without spaces; percent-encode the rest';
  if (/[\\<>"^`{|}]/.test(uri)) return 'must be properly percent-encoded';
  if (uri.includes('*')) return 'must not contain * (URIs are compared exactly)';
  if (uri.includes('#')) return 'must not contain a fragment';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'must be absolute and start with a scheme, such as https:';
  if (forbiddenSchemes.has(scheme)) return `must not use the scheme ${scheme}:`;
  if (scheme === 'http' || scheme === 'https') return findWebProblem(uri);
  return uri.length > scheme.length + 1 ? null : 'must not be empty after the scheme';
}

function findWebProblem(uri: string): string | null {
  const authority = /^https?:\/\/([^/?]*)/i.exec(uri)?.[1] ?? '';
  if (authority === '' || !URL.canParse(uri) || new URL(uri).hostname === '') return 'must name a host';
  if (authority.includes('@')) return 'must not contain a user name';
  return null;
}

/** What an application is: a program on the machine of its user, or a page; null for one that does not say. */
export const applicationTypes = ['native', 'web'] as const;
export type ApplicationType = (typeof applicationTypes)[number];

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?(?![^/?])/;

/** Why an application of this type cannot have this redirect URI (OpenID Connect Dynamic Client Registration 1.0, 2), or null. */
export function findTypeProblem(uri: string, type: ApplicationType): string | null {
  const isWeb = /^https?:/i.test(uri);
  if (type === 'native') {
    if (!isWeb || loopback.test(uri)) return null;
    return 'must be http on 127.0.0.1, [::1], or localhost, or have a scheme of its own, for a native application';
  }
  if (/^https:/i.test(uri) && !isLoopbackName(new URL(uri).hostname)) return null;
  return 'must be https and not on this machine for a web application';
}

/** A loopback redirect URI without its port; null for any other. */
function withoutPort(uri: string): string | null {
  const [beginning = '', origin, port = '80'] = loopback.exec(uri) ?? [];
  return origin !== undefined && Number(port) <= 65_535 ? origin + uri.slice(beginning.length) : null;
}

/**
 * Whether a request may redirect to `uri`: only if it matches a registered one exactly, except for the port of a loopback address, which a
 * program learns when it starts to listen (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const portless = withoutPort(uri);
  return portless !== null && registered.some((known) => withoutPort(known) === portless);
}

/** `uri` with the parameters of a response, otherwise unchanged. */
export function addAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + separator + new URLSearchParams(given).toString();
}
