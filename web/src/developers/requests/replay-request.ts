import type { Response as Reply } from '@errand/client';
import { leaveToSignIn } from '../../api/errand.ts';

type ApiRequest = Reply<'request.detail'>['request'];

/** What the service answered to a request that was sent again. */
export interface Replayed {
  status: number;
  body: string;
}

/** Sends a recorded request again, with the rights of the person who is signed in: the service checks it as any other of theirs. */
export async function replayRequest({ method, path, query, body }: ApiRequest): Promise<Replayed> {
  if (!/^\/v2\/[A-Za-z.]+$/.test(path)) throw new Error(path);
  const response = await fetch(query === '' ? path : `${path}?${query}`, {
    method,
    headers: { 'x-errand-web': '1', ...(body !== null && { 'content-type': 'application/json' }) },
    ...(body !== null && { body }),
  });
  if (response.status === 401) leaveToSignIn();
  return { status: response.status, body: await response.text() };
}
