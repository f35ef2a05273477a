import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { isOwnOrigin } from '../../rules/http/own-origin.ts';
import { isLegacyPath } from '../../legacy/fault-body.ts';
import { pathOf } from './request-path.ts';

/** The path of the MCP server. */
export const mcpPath = '/mcp';

/** What everybody may read, from a page of any origin, and where applications without a server get their tokens. */
const openPath = /^\/(openapi\.json$|\.well-known\/|oauth\/(token|revoke|device_authorization)$)/;

/**
 * Headers that pages may send. The API key headers are missing on purpose: `Authorization` carries a key or a token, and pages need nothing
 * else to prove who is calling.
 */
const requestHeaders = [
  ...['accept', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'prefer', 'errand-version', 'errand-user'],
  ...['mcp-protocol-version', 'mcp-session-id'],
];

/** Headers that MCP and OpenAI clients add, which pages may send too. */
const clientHeader = /^(mcp|x-stainless)-[a-z0-9-]{1,60}$/;

const responseHeaders = [
  ...[
    'mcp-session-id',
    'www-authenticate',
    'x-request-id',
    'retry-after',
    'errand-ignored',
    'errand-version',
    'idempotent-replayed',
  ],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy', 'content-disposition'],
].join(', ');

const methods = 'GET, HEAD, POST, PUT, DELETE';

/** How long browsers may remember a preflight; they cap it themselves. */
const preflightTtlS = '7200';

/** The origins whose pages may call the service. */
export interface CorsParts {
  /** Origins allowed by the operator. */
  corsOrigins: readonly string[];
  /** Where people see the service. */
  publicUrl(): string;
}

/** Which origins may read a response: any, one, or none. */
function findReaders(origin: string | undefined, path: string, { corsOrigins }: CorsParts): string | null {
  if (openPath.test(path)) return '*';
  const isApi = path === mcpPath || path.startsWith('/v2/') || isLegacyPath(path);
  return isApi && origin !== undefined && corsOrigins.includes(origin) ? origin : null;
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const asked = (request.headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  const allowed = new Set([...requestHeaders, ...asked.filter((name) => clientHeader.test(name))]);
  void reply.headers({
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...allowed].join(', '),
    'access-control-max-age': preflightTtlS,
    'x-request-id': request.id,
  });
  void reply.code(204).send();
}

/**
 * Lets pages of allowed origins call the API, and refuses those of others at `/mcp`: a page can give its own host name our address (DNS
 * rebinding), and then needs no permission to read responses. Cookies never count, because no response allows credentials.
 */
export function mountCors(server: FastifyInstance, parts: CorsParts): void {
  server.addHook('onRequest', (request, reply, proceed) => {
    const { origin } = request.headers;
    const path = pathOf(request);
    const readers = findReaders(origin, path, parts);
    // Set on the response itself, so that streams have them too.
    if (readers !== null) {
      reply.raw.setHeader('access-control-allow-origin', readers);
      reply.raw.setHeader('access-control-expose-headers', responseHeaders);
      if (readers !== '*') reply.raw.setHeader('vary', 'origin');
      if (isPreflight(request)) return answerPreflight(request, reply);
    }
    const isForeign = path === mcpPath && origin !== undefined && readers === null && !isOwnOrigin(origin, parts.publicUrl());
    if (!isForeign) return proceed();
    const problem = 'Origin: pages of this origin may not use this service; the operator can allow it in ERRAND_CORS_ORIGINS.';
    proceed(new Fault('permission_denied', problem));
  });
}
