import type { Fault } from '@errand/base/fault.ts';

/** Headers of every response: it is JSON, is not cached, and browsers must not interpret it as a page. */
export const answerHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** `{ok: true, request_id, …}` */
export function renderSuccess(requestId: string, data: Record<string, unknown>): string {
  return JSON.stringify({ ok: true, request_id: requestId, ...data });
}

/**
 * `{ok: false, request_id, error: {code, message, param, doc_url}}`; detail and cause of a fault stay inside. `publicUrl` is that of the
 * server with the documentation; without it, `doc_url` is absent.
 */
export function renderFault(requestId: string, { code, message, param }: Fault, publicUrl?: string): string {
  const docUrl = publicUrl === undefined ? undefined : `${publicUrl}/docs/errors/${code}`;
  return JSON.stringify({ ok: false, request_id: requestId, error: { code, message, param, doc_url: docUrl } });
}

/** The response headers of a fault. */
export function faultHeaders({ code, retryAfterS }: Fault): Record<string, string> {
  return {
    ...(code === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  };
}
