import { createErrand, ErrandError } from '@errand/client';
import { Connection } from '@errand/client/connection.ts';

/** Says to the service that the request is from its own page: no other page may send it along with the cookie. */
const headers = { 'x-errand-web': '1' };

/** Pages that people without an account may see; being signed out is no reason to leave them. */
const publicPage = /^\/share\//;

/** To the sign-in page, and back here afterwards. */
export function leaveToSignIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

async function fetchSignedIn(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.status === 401 && !publicPage.test(window.location.pathname)) leaveToSignIn();
  return response;
}

/** The operations of the API, as the signed-in user. Every failure is an `ErrandError`. */
export const errand = createErrand({ baseUrl: '', headers, fetch: fetchSignedIn });

/** The same requests as `errand` makes, for streams and uploads that need one of their own. */
export const connection = new Connection({ baseUrl: '', headers, fetch: fetchSignedIn });

/** The operations that only the service's own pages have. */
export const webConnection = new Connection({ baseUrl: '', root: '/web', headers, fetch: fetchSignedIn });

/** Whether the service says that there is no such thing, or none that this person may see. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ErrandError && error.code === 'not_found';
}
