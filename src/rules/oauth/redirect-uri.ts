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

/** Whether a request may redirect to `uri`: only if it matches a registered one exactly. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri);
}

/** `uri` with the parameters of a response, otherwise unchanged. */
export function addAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + separator + new URLSearchParams(given).toString();
}
