import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, ReplyOperation, StreamOperation } from '../../api/contract/operation.ts';
import type { Feed, FollowedLogs } from '../../api/contract/feed.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Log } from '@errand/base/log.ts';
import { type Asked, boundUserOf, checkAccess } from '../../rules/accounts/access.ts';
import { createCookieJar } from '../../oauth/request/cookies.ts';
import type { RateVerdict } from '../../rules/instance/rate-window.ts';
import type { Authenticate, Caller } from '../authentication/authenticate.ts';
import { answerHeaders, renderSuccess } from '../server/envelope.ts';
import { EventStream } from '../streaming/event-stream-response.ts';
import { reserveBodyMemory } from './body-memory.ts';
import { CallerPresence } from './caller-presence.ts';
import { confineToUser } from './confined-caller.ts';
import { faultOf } from '../server/fault-of.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { isStrictRequest, preferenceHeaders } from './preferences.ts';
import { parseJsonBody } from '../server/json-body.ts';
import type { OpenStreams, StreamPulse } from '../streaming/open-streams.ts';
import { parseQuery } from '../server/query-string.ts';
import { setRateHeaders } from '../rate-limits/rate-headers.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';
import { type ContextParts, createContext } from './request-context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; null until then and on routes without authentication. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Whether a request can be sent again as it is recorded: it is answered once, and shows or brings no secret. */
    isRepeatable?: boolean;
  }
}

export interface RouteParts extends ContextParts {
  authenticate: Authenticate;
  clock: Clock;
  log: Log;
  streams: OpenStreams;
  pulse: StreamPulse;
  logs: FollowedLogs;
  limiter: RateLimiter | null;
  /** The memory for what others send, in bytes. */
  memory: FairGate;
}

/** The raw query from the router; see `buildHttpServer`. */
export interface RawQuery {
  text: string;
}

type Next = (error?: Error) => void;

/** A route without a name is not for requests that act for one person. */
type Admitted = Pick<Operation, 'cost' | 'kind'> & Asked & { name?: string; bodyLimitBytes?: number };

/**
 * Enforces the table's access rules and rate limits, and reserves memory for a large body, before a byte of it is read. Synchronous when
 * everything is cached, as for most requests.
 */
export function admit(operation: Admitted, parts: Pick<RouteParts, 'authenticate' | 'limiter' | 'memory' | 'clock'>) {
  const { bodyLimitBytes } = operation;
  const check = checkRights(operation, parts);
  return (request: FastifyRequest, reply: FastifyReply, proceed: Next) => {
    if (bodyLimitBytes === undefined) return check(request, reply, proceed);
    check(request, reply, (refusal) => {
      const reserving = refusal ? undefined : reserveBodyMemory(parts, bodyLimitBytes, request, reply);
      if (reserving) void reserving.then(proceed, proceed);
      else proceed(refusal);
    });
  };
}

function checkRights(operation: Admitted, { authenticate, limiter }: Pick<RouteParts, 'authenticate' | 'limiter'>) {
  const { cost, kind, name } = operation;
  const enter = (request: FastifyRequest, reply: FastifyReply, found: Caller): undefined | Promise<undefined> => {
    const caller = confineToUser(found, request.headers, name);
    request.caller = caller;
    checkAccess(caller.principal, operation);
    if (!limiter) return undefined;
    const note = (verdict: RateVerdict) => setRateHeaders(verdict, kind === 'stream' ? reply.raw : reply);
    const verdict = limiter.take(caller.principal.accountId, cost);
    return verdict instanceof Promise ? verdict.then(note) : note(verdict);
  };
  const enterLater = async (request: FastifyRequest, reply: FastifyReply, caller: Promise<Caller>) =>
    enter(request, reply, await caller);
  return (request: FastifyRequest, reply: FastifyReply, proceed: Next) => {
    const caller = authenticate(request.raw);
    const entering = caller instanceof Promise ? enterLater(request, reply, caller) : enter(request, reply, caller);
    if (entering) void entering.then(proceed, proceed);
    else proceed();
  };
}

export function callerOf({ caller }: FastifyRequest): Caller {
  if (!caller) throw new Error('the route has not asked who is calling');
  return caller;
}

function queryOf(request: FastifyRequest): Record<string, string> {
  return parseQuery((request.query as RawQuery).text);
}

async function answer(
  operation: ReplyOperation,
  parts: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const caller = callerOf(request);
  const now = parts.clock.now();
  const body = request.body as Buffer | undefined;
  const { accountId } = caller.principal;
  const user = boundUserOf(caller.principal);
  const key = readIdempotencyKey(operation, { headers: request.headers, body, accountId, user, now });
  const context = createContext(parts, caller, now, key, new CallerPresence(reply.raw, isStrictRequest(request.headers)));
  const input = operation.method === 'GET' ? queryOf(request) : parseJsonBody(body);
  const data = await operation.answer(input, context);
  if (typeof data.task_id === 'string') request.taskId = data.task_id;
  void reply.headers(answerHeaders).headers(preferenceHeaders(context)).header('x-request-id', request.id);
  if (operation.status !== undefined) void reply.code(operation.status);
  if (context.isReplay) void reply.header('idempotent-replayed', 'true');
  if (context.hasSignedOut)
    void reply.header('set-cookie', createCookieJar(parts.handlerServices.urls.page('')).remove('errand_session'));
  return renderSuccess(request.id, data);
}

/** A reconnecting reader sends its last event id in a header, which is newer than the one in the URL. */
function streamInput(request: FastifyRequest): Record<string, string> {
  const lastEventId = request.headers['last-event-id'];
  return { ...queryOf(request), ...(typeof lastEventId === 'string' && lastEventId !== '' && { last_event_id: lastEventId }) };
}

/** Everything that only the beginning of a stream needs stays behind in here. */
async function openFeed(
  operation: StreamOperation,
  parts: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Feed> {
  const { database, clock, streams, logs } = parts;
  const caller = callerOf(request);
  streams.admit(caller.principal, reply.raw);
  const context = Object.assign(
    createContext(parts, caller, clock.now(), null, new CallerPresence(reply.raw, isStrictRequest(request.headers))),
    {
      hints: database.hints,
      clock,
      deltas: database.deltas,
      logs,
      access: { id: caller.credential, isStillValid: caller.isStillValid },
    },
  );
  const feed = await operation.open(streamInput(request), context);
  for (const [name, value] of Object.entries(preferenceHeaders(context))) reply.raw.setHeader(name, value);
  return feed;
}

async function stream(
  operation: StreamOperation,
  parts: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { clock, log, streams, pulse } = parts;
  const feed = await openFeed(operation, parts, request, reply);
  void reply.hijack();
  const events = new EventStream(reply.raw, request.id, { clock, pulse }, parts.handlerServices.urls.page(''));
  const run = (signal: AbortSignal) => events.pump(feed(signal), signal);
  await streams.run(reply.raw, run).catch((error: unknown) => {
    log.error({ request_id: request.id, err: error }, 'stream failed');
    events.fail(faultOf(error));
  });
}

/** Creates the routes of a server from its rows of the operation table. */
export function mountOperations(server: FastifyInstance, operations: readonly Operation[], parts: RouteParts): void {
  for (const operation of operations) {
    const common = {
      method: operation.method,
      url: operation.path,
      onRequest: admit(operation, parts),
      config: { isRepeatable: operation.kind === 'reply' && operation.hasSecret !== true },
      ...(operation.bodyLimitBytes && { bodyLimit: operation.bodyLimitBytes }),
    };
    if (operation.kind === 'stream') {
      server.route({ ...common, handler: (request, reply) => stream(operation, parts, request, reply) });
    } else {
      const exposeHeadRoute = operation.method === 'GET';
      server.route({ ...common, exposeHeadRoute, handler: (request, reply) => answer(operation, parts, request, reply) });
    }
  }
}
