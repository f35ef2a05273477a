import type { FastifyReply, FastifyRequest } from 'fastify';
import { boundUserOf } from '../../rules/accounts/access.ts';
import { nameCredential } from '../../rules/requests/kept-request.ts';
import { shownPath, statusOf } from '../server/request-log.ts';
import { holdBody } from './kept-part.ts';
import type { RequestRecorder } from './request-recorder.ts';

/** Notes the end of a request of a program; what people do with the pages is not for their developers. */
export function noteRequest(
  recorder: RequestRecorder,
  request: FastifyRequest,
  reply: FastifyReply,
  tookMs: number,
  now: number,
): void {
  const { caller, fault, taskId, method, url, routeOptions } = request;
  const credential = caller && nameCredential(caller.principal);
  if (caller === null || credential === null) return;
  const isRepeatable = routeOptions.config.isRepeatable ?? false;
  const start = url.indexOf('?');
  const status = statusOf(reply);
  recorder.note({
    accountId: caller.principal.accountId,
    id: request.id,
    atMs: now - Math.round(tookMs),
    method,
    path: shownPath(request),
    query: start < 0 ? '' : url.slice(start + 1),
    status,
    durationMs: Math.round(tookMs),
    credential,
    errorCode: fault?.code ?? null,
    errorParam: fault?.param?.replaceAll('\0', '').slice(0, 200) ?? null,
    taskId,
    body: isRepeatable ? holdBody(request.body, status) : null,
    isRepeatable,
    isForOneUser: boundUserOf(caller.principal) !== null,
  });
}
