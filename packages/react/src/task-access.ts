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

/** Sends each request with a token that is valid: after a refusal it asks for another one, once. */
function fetchWith(findToken: () => TokenSource): typeof globalThis.fetch {
  let known: Promise<string> | undefined;
  const ask = async () => {
    const token = findToken();
    return typeof token === 'string' ? token : token();
  };
  const send = async (token: string, ...[url, init]: Parameters<typeof fetch>) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return globalThis.fetch(url, { ...init, headers });
  };
  const renew = (used: Promise<string> | undefined) => {
    if (known === used || known === undefined) known = ask();
    return known;
  };
  return async (url, init) => {
    const used = known ?? renew(undefined);
    try {
      const response = await send(await used, url, init);
      if (response.status !== 401 || typeof findToken() === 'string') return response;
    } catch (error) {
      if (init?.signal?.aborted || error instanceof TypeError) throw error;
    }
    return renew(used).then((token) => send(token, url, init), refuse);
  };
}

/** A client of the service for one task. */
export function openTask(baseUrl: string, findToken: () => TokenSource): Errand {
  return createErrand({ baseUrl, headers: {}, fetch: fetchWith(findToken) });
}
