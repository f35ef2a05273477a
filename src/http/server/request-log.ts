import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';

const longestPath = 200;
/** Status for requests whose caller disconnected early. */
const callerGone = 499;

/** One line per request. Queries and headers are omitted, and with them every credential. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  log.info(
    {
      method: request.method,
      path: shownPath(request),
      status: statusOf(reply),
      ms: Math.round(ms * 10) / 10,
      request_id: request.id,
      account_id: request.caller?.principal.accountId ?? null,
    },
    'request',
  );
}

/** The end of a trigger's URL, and the name of a preview, are credentials, wherever they are sent. */
export function shownPath({ url, routeOptions }: FastifyRequest): string {
  const [path = ''] = url.split('?', 1);
  const isTrigger = routeOptions.url?.startsWith('/t/') === true || /^\/(?:t|%74)\//i.test(path);
  if (isTrigger) return '/t/:token';
  return path.replace(/^(\/previews\/)[^/]*/, '$1:name').slice(0, longestPath);
}

/** The status of the response. */
export function statusOf({ raw: { statusCode, headersSent } }: FastifyReply): number {
  return headersSent || statusCode !== 200 ? statusCode : callerGone;
}

/** Counts a response by its route, of which there are few, not by its path, which callers choose. */
export function measureRequest(metrics: Metrics, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
  metrics.count('errand_http_requests_total', { route, status: String(statusOf(reply)) });
  metrics.observe('errand_http_request_duration_seconds', { route }, ms / 1000);
}

/** Details hidden from callers: why the service itself failed. */
export function logFault(log: Log, request: FastifyRequest, fault: Fault): void {
  if (fault.status < 500) return;
  const line = { request_id: request.id, detail: fault.detail, err: fault.cause ?? fault };
  if (fault.code === 'unavailable') log.warn(line, 'request failed');
  else log.error(line, 'request failed');
}
