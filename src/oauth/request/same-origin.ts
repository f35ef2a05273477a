import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the browser indicates that the request comes from one of our pages, or was typed by its user; without that it may come from
 * another program.
 */
export function mayComeFromUs({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
