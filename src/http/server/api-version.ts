import type { FastifyInstance } from 'fastify';
import { invalidField } from '@errand/base/fault.ts';
import { pathOf } from './request-path.ts';

/** The version of /v2: the day of its last change that a client could notice as a break. */
export const apiVersion = '2026-11-01';

const header = 'errand-version';

/** Names the version of the API on every response of /v2, and refuses requests that were written for one that is not served. */
export function mountApiVersion(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, proceed) => {
    if (!pathOf(request).startsWith('/v2/')) return proceed();
    // Set on the response itself, so that streams have it too.
    reply.raw.setHeader(header, apiVersion);
    const wanted = request.headers[header];
    if (wanted === undefined || wanted === apiVersion) return proceed();
    proceed(invalidField(header, `must be ${apiVersion}, the version that this service speaks`));
  });
}
