import { leaveToSignIn } from '../../api/errand.ts';
import type { PreparedRequest } from './prepare-request.ts';

/** With what a request is sent: the sign-in of the person, or a key in the header that the operation reads. */
export type Credential = { kind: 'session' } | { kind: 'none' } | { kind: 'key'; header: string; key: string };

/** The answer to a request, as far as it has come. */
export interface Answer {
  status: number;
  statusText: string;
  /** Time until the first byte of the answer, in milliseconds. */
  latencyMs: number;
  /** Those that say something about this request. */
  headers: [name: string, value: string][];
  body: string;
  /** Whether the answer was longer than what is kept of it. */
  isCut: boolean;
  isComplete: boolean;
}

/** Names of headers that tell more than how the answer was sent. */
const headersOfInterest = [
  'content-type',
  'x-request-id',
  'errand-version',
  'errand-ignored',
  'idempotent-replayed',
  'retry-after',
];

/** More than this of an answer is not read, so that a long stream fills no memory. Bytes. */
const longestAnswer = 256 * 1024;

function headersFor(credential: Credential, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(credential.kind === 'session' && { 'x-errand-web': '1' }),
    ...(credential.kind === 'key' && { [credential.header]: credential.key }),
  };
}

/** Reads a body piece by piece, reporting what there is of it after each. */
async function readBody(response: Response, report: (body: string, isCut: boolean) => void): Promise<void> {
  const decoder = new TextDecoder();
  let [body, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    const kept = chunk.subarray(0, longestAnswer - bytes);
    bytes += chunk.length;
    body += decoder.decode(kept, { stream: true });
    const isCut = bytes > longestAnswer;
    report(body, isCut);
    // Leaving the loop ends the request.
    if (isCut) return;
  }
}

/**
 * Sends a request to this service and reports the answer while it comes. The key is in a header alone, and cookies are left out with
 * it, so that the answer is that for the key.
 */
export async function sendRequest(
  { method, target, body }: PreparedRequest,
  credential: Credential,
  { signal, report }: { signal: AbortSignal; report(answer: Answer): void },
): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(target, {
    method,
    signal,
    headers: headersFor(credential, body !== null),
    credentials: credential.kind === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    redirect: 'error',
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  if (response.status === 401 && credential.kind === 'session') return leaveToSignIn();
  let answer: Answer = {
    status: response.status,
    statusText: response.statusText,
    latencyMs: performance.now() - startedAt,
    headers: headersOfInterest.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    }),
    body: '',
    isCut: false,
    isComplete: false,
  };
  report(answer);
  await readBody(response, (text, isCut) => report((answer = { ...answer, body: text, isCut })));
  report({ ...answer, isComplete: true });
}

/** What a refusal says about a field of the request; null for none. */
export function problemOf({ status, body }: Pick<Answer, 'status' | 'body'>): { param: string; message: string } | null {
  if (status < 400) return null;
  try {
    const { error } = JSON.parse(body) as { error?: { param?: unknown; message?: unknown } };
    return typeof error?.param === 'string' && typeof error.message === 'string'
      ? { param: error.param, message: error.message }
      : null;
  } catch {
    return null;
  }
}
