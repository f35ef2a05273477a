import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that the request comes from a page of ours, or was typed by its user; a request that says nothing may
 * be another program's.
 */
export function mayComeFromUs({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
