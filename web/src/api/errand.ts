import { createErrand, ErrandError, type OperationName, type Request } from '@errand/client';
import { Connection } from '@errand/client/connection.ts';

/** Proves that a request comes from the application: pages of other sites cannot send this header with the cookie. */
const headers = { 'x-errand-web': '1' };

/** Pages for visitors without an account: being signed out does not redirect from them. */
const publicPage = /^\/share\//;

/** Goes to the sign-in page, and back here afterward. */
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

/** A connection for streams and uploads, with the headers and sign-in of `errand`. */
export const connection = new Connection({ baseUrl: '', headers, fetch: fetchSignedIn });

/** The operations that are only for the application itself. */
export const webConnection = new Connection({ baseUrl: '', root: '/web', headers, fetch: fetchSignedIn });

type Clearing<Value> = Value extends object ? { [Name in keyof Value]: Clearing<Value[Name]> | null } : Value;

/** A request in which null empties a field; the types of the client leave null out. */
export function clearing<Name extends OperationName>(request: Clearing<Request<Name>>): Request<Name> {
  return request;
}

/** Whether the error means that it does not exist or is not visible to this user. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ErrandError && error.code === 'not_found';
}
