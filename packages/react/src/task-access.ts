import { createErrand, type Errand } from '@errand/client';

/** A task token, or a function that asks your server for one; it is called again when the last one has ended. */
export type TokenSource = string | (() => string | Promise<string>);

/** One task, and what opens it. */
export interface TaskAccess {
  /** URL of the service, without `/v2`. The origin of your page must be in its `ERRAND_CORS_ORIGINS`. */
  baseUrl: string;
  taskId: string;
  token: TokenSource;
}

/** What a request is answered whose page got no token. */
function refuse(cause: unknown): Response {
  // A lost connection to the server of the page is tried again, as one to the service.
  if (cause instanceof TypeError) throw cause;
  const error = { code: 'unauthenticated', message: `no task token: ${String(cause)}` };
  return new Response(JSON.stringify({ ok: false, error }), { status: 401 });
}

type Fetch = typeof globalThis.fetch;

async function sendWith(token: string, ...[url, init]: Parameters<Fetch>): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return globalThis.fetch(url, { ...init, headers });
}

/** Sends each request with a token that is valid: after a refusal it asks for another one, once. */
function fetchWith(askForToken: () => string | Promise<string>): Fetch {
  let known: Promise<string> | undefined;
  const ask = () => {
    const asked = Promise.resolve().then(askForToken);
    known = asked;
    // A failure is no token: the next request asks again.
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  };
  // When several requests are refused at once, the first asks for a new token and the others wait for that one.
  const renew = (used: Promise<string>) => (known === undefined || known === used ? ask() : known);
  return async (url, init) => {
    const send = (token: Promise<string>) => token.then((one) => sendWith(one, url, init), refuse);
    const used = known ?? ask();
    const response = await send(used);
    return response.status === 401 ? send(renew(used)) : response;
  };
}

/** A client of the service for one task. */
export function openTask(baseUrl: string, token: TokenSource): Errand {
  const fetch: Fetch = typeof token === 'string' ? (url, init) => sendWith(token, url, init) : fetchWith(token);
  return createErrand({ baseUrl, headers: {}, fetch });
}
