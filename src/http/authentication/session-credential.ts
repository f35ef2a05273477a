import type { IncomingMessage } from 'node:http';
import { Fault } from '@errand/base/fault.ts';
import { createCookieJar } from '../../oauth/request/cookies.ts';
import { mayComeFromUs } from '../../oauth/request/same-origin.ts';

/**
 * The session cookie, for requests from our own pages: they send a header that pages of other sites cannot, and
 * where the browser says whose page it is, it must be ours. Without that header a cookie means nothing, because browsers send it
 * unasked. Null where there is none; throws 403 for a page of another site.
 */
export function readSessionCookie({ headers }: IncomingMessage, publicUrl: string): string | null {
  if (headers['x-errand-web'] !== '1') return null;
  if (headers['sec-fetch-site'] === 'none' || !mayComeFromUs(headers, publicUrl)) {
    throw new Fault('permission_denied', "This request does not come from this service's web application.");
  }
  return createCookieJar(publicUrl).read(headers.cookie, 'errand_session');
}
