import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '@errand/base/fault.ts';
import { faultOf } from '../server/fault-of.ts';
import { isPageVisit } from '../server/http-server.ts';

/** Answers a browser with a page in its own language: on this origin, nobody is signed in. */
export async function sendMissingSitePage(request: FastifyRequest, reply: FastifyReply, fault: Fault): Promise<FastifyReply> {
  const { answerPageFault } = await import('../../oauth/routes/fault-answer.ts');
  const { textsFor } = await import('../../oauth/pages/layout/page-texts.ts');
  const { status, headers, body } = answerPageFault(textsFor(null, request.headers), fault, { hasHome: false });
  return reply.code(status).headers(headers).header('x-request-id', request.id).send(body);
}

/** Answers unknown URLs on the routes of a scope: browsers that follow an old link get a page, programs an envelope. */
export function answerMissingSites(scope: FastifyInstance): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const fault = faultOf(error);
    if (fault.code !== 'not_found' || !isPageVisit(request)) throw error;
    return sendMissingSitePage(request, reply, fault);
  });
}
