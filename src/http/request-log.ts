import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../base/fault.ts';
import type { Log } from '../base/log.ts';

const longestPath = 200;
/** For requests whose caller did not wait for the answer. */
const callerGone = 499;

/** One line a request. Queries and headers stay out of it, and with them every credential. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const [path = ''] = request.url.split('?', 1);
  const { statusCode, headersSent } = reply.raw;
  log.info(
    {
      method: request.method,
      path: path.slice(0, longestPath),
      status: headersSent || statusCode !== 200 ? statusCode : callerGone,
      ms: Math.round(ms * 10) / 10,
      request_id: request.id,
      account_id: request.caller?.principal.accountId ?? null,
    },
    'request',
  );
}

/** What callers are not told: why the service itself failed. */
export function logFault(log: Log, request: FastifyRequest, fault: Fault): void {
  if (fault.status < 500) return;
  const line = { request_id: request.id, detail: fault.detail, err: fault.cause ?? fault };
  if (fault.code === 'unavailable') log.warn(line, 'request failed');
  else log.error(line, 'request failed');
}
