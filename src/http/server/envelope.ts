import type { Fault } from '@errand/base/fault.ts';

/** On every response: JSON, not cached, and not interpreted as a page by browsers. */
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

/** `{ok: false, request_id, error: {code, message, param}}`; detail and cause of a fault stay inside. */
export function renderFault(requestId: string, { code, message, param }: Fault): string {
  return JSON.stringify({ ok: false, request_id: requestId, error: { code, message, param } });
}

/** The response headers of a fault. */
export function faultHeaders({ code, retryAfterS }: Fault): Record<string, string> {
  return {
    ...(code === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  };
}
