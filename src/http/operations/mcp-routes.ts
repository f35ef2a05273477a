import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../api/index.ts';
import type { ReplyOperation } from '../../api/contract/operation.ts';
import { checkAccess } from '../../rules/accounts/access.ts';
import type { Caller } from '../authentication/authenticate.ts';
import { mcpPath } from '../server/cors.ts';
import { parseJsonBody } from '../server/json-body.ts';
import { setRateHeaders } from '../rate-limits/rate-headers.ts';
import { createContext } from './request-context.ts';
import { CallerPresence } from './caller-presence.ts';
import { admit, callerOf, type RouteParts } from './operation-routes.ts';
import { version } from '@errand/base/program-version.ts';

function findOperation(name: string): ReplyOperation {
  const operation = operations.find((candidate) => candidate.name === name);
  if (operation?.kind !== 'reply') throw new Error(`no operation ${name}`);
  return operation;
}

/** Calls operations as separate requests, each with its own access check and rate limit. */
function askFor(caller: Caller, parts: RouteParts, presence: CallerPresence) {
  return async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const operation = findOperation(name);
    const { accountId } = caller.principal;
    checkAccess(caller.principal, operation);
    if (parts.limiter) setRateHeaders(await parts.limiter.take(accountId, operation.cost), {});
    return operation.answer(input, createContext(parts, caller, parts.clock.now(), null, presence));
  };
}

function toWebRequest({ method, headers, raw }: FastifyRequest): Request {
  const known = new Headers();
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') known.set(name, value);
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.complete) leaving.abort();
  });
  // The original request headers are irrelevant; the body is passed separately.
  return new Request(`http://localhost${mcpPath}`, { method, headers: known, signal: leaving.signal });
}

async function answer(parts: RouteParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const body = parseJsonBody(request.body as Buffer | undefined);
  // Loaded with the first request: most services never get one.
  const { answerMcp } = await import('../../mcp/mcp-http.ts');
  const ask = askFor(callerOf(request), parts, new CallerPresence(reply.raw));
  const response = await answerMcp({ request: toWebRequest(request), body, version, ask });
  void reply.code(response.status).header('x-request-id', request.id).header('cache-control', 'no-store');
  for (const [name, value] of response.headers) void reply.header(name, value);
  return reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : '');
}

/** The service as an MCP server, by the streamable HTTP transport and with the credentials of the API. */
export function mountMcp(server: FastifyInstance, parts: RouteParts): void {
  server.route({
    method: ['POST', 'GET', 'DELETE'],
    url: mcpPath,
    exposeHeadRoute: false,
    // What a message asks for is an operation with its own check.
    onRequest: admit({ access: 'tasks', method: 'GET', cost: 'read', kind: 'reply' }, parts),
    handler: (request, reply) => answer(parts, request, reply),
  });
}
