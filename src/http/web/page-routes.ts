import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Fault, invalidField } from '@errand/base/fault.ts';
import type { Log } from '@errand/base/log.ts';
import type { VisitorSearch } from '../../oauth/pages/session/page-handler.ts';
import type { Handler, WebAnswer, PageParts, WebRequest } from '../../oauth/request/web-request.ts';
import { type RouteKind, type WebRoute, webRoutes } from '../../oauth/routes/route-table.ts';
import { faultOf } from '../server/fault-of.ts';
import { parseJsonBody } from '../server/json-body.ts';
import { parseQuery } from '../server/query-string.ts';
import { logFault } from '../server/request-log.ts';
import type { RawQuery } from '../operations/operation-routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of route, which decides how its errors are formatted. */
    kind?: RouteKind;
  }
}

const bodyLimit = 64 * 1024;
const formType = 'application/x-www-form-urlencoded';

/** The pages and endpoints of the oauth module, loaded on the first request for one of them. */
function loadOnce(parts: PageParts): () => Promise<ReadonlyMap<string, Handler>> {
  let loading: Promise<ReadonlyMap<string, Handler>> | null = null;
  return () =>
    (loading ??= import('../../oauth/routes/route-handlers.ts').then(({ buildWeb }) =>
      buildWeb(parts, (text) => refuseNul(parseQuery(text))),
    ));
}

function parseForm(body: Buffer): Record<string, string> {
  return parseQuery(body.toString('latin1').replaceAll(/[^ -~]/g, (char) => encodeURIComponent(char)));
}

function parseObject(body: Buffer): Record<string, string> {
  const value = parseJsonBody(body);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalidField('body', 'must be a JSON object');
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  // Every known field is text; clients send others too.
  for (const [name, text] of Object.entries(value)) if (typeof text === 'string' && text !== '') fields[name] = text;
  return fields;
}

function readFields({ body, headers }: FastifyRequest): Record<string, string> {
  if (!Buffer.isBuffer(body)) return {};
  return headers['content-type']?.startsWith(formType) === true ? parseForm(body) : parseObject(body);
}

/** PostgreSQL cannot store this character, and no legitimate input contains it. */
function refuseNul(fields: Record<string, string>): Record<string, string> {
  for (const [name, text] of Object.entries(fields)) {
    if (text.includes('\0')) throw invalidField(name.slice(0, 64).toWellFormed(), 'must not contain the character NUL');
  }
  return fields;
}

export interface VisitorParts {
  /** Where a request comes from, behind proxies that are trusted. */
  visitorOf(request: IncomingMessage): string;
}

function readRequest(
  request: FastifyRequest,
  { method, path }: WebRoute,
  more: Pick<WebRequest, 'arrivedAtMs' | 'remoteAddress'>,
): WebRequest {
  const queryText = (request.query as RawQuery).text;
  return {
    method,
    path,
    queryText,
    query: refuseNul(parseQuery(queryText)),
    fields: method === 'POST' ? refuseNul(readFields(request)) : {},
    params: refuseNul({ ...(request.params as Record<string, string>) }),
    headers: request.headers,
    ...more,
  };
}

function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: WebAnswer): FastifyReply {
  return reply.code(status).headers(headers).header('x-request-id', request.id).send(body);
}

/** Answers a person's browser with a page about what went wrong. */
export async function sendFaultPage(
  parts: VisitorSearch,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault,
): Promise<FastifyReply> {
  const { answerPageFault } = await import('../../oauth/routes/fault-answer.ts');
  const { findTexts } = await import('../../oauth/pages/session/page-handler.ts');
  return send(request, reply, answerPageFault(await findTexts(parts, request), fault, { requestId: request.id }));
}

/** Reports errors on the routes of a scope, formatted by the oauth module. */
export function answerPageErrors(scope: FastifyInstance, parts: VisitorSearch & { log: Log }): void {
  scope.setErrorHandler(async (error, request, reply) => {
    // A request target that is not a path (`*`) is not a page: the router would take it for the root.
    if (!request.url.startsWith('/')) throw error;
    const { kind } = request.routeOptions.config;
    const fault = faultOf(error);
    logFault(parts.log, request, fault);
    if (kind !== 'endpoint') return sendFaultPage(parts, request, reply, fault);
    const { answerEndpointFault } = await import('../../oauth/routes/fault-answer.ts');
    return send(request, reply, answerEndpointFault(fault));
  });
}

/** Mounts the authorization server and the pages. */
export function mountWeb(server: FastifyInstance, parts: PageParts & VisitorParts): void {
  const load = loadOnce(parts);
  const arrivals = new WeakMap<FastifyRequest, number>();
  void server.register((scope, _options, done) => {
    scope.addContentTypeParser(formType, { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.addHook('onRequest', (request, _reply, proceed) => {
      arrivals.set(request, parts.clock.monotonic());
      proceed();
    });
    answerPageErrors(scope, parts);
    for (const route of webRoutes) {
      const { method, path: url, kind } = route;
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const handle = (await load()).get(`${method} ${url}`);
        if (!handle) throw new Error(`nothing answers at ${method} ${url}`);
        const given = readRequest(request, route, {
          arrivedAtMs: arrivals.get(request) ?? parts.clock.monotonic(),
          remoteAddress: parts.visitorOf(request.raw),
        });
        return send(request, reply, await handle(given));
      };
      scope.route({ method, url, bodyLimit, config: { kind }, handler });
    }
    done();
  });
}
