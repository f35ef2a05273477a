import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { newRequestId } from '@errand/base/ids.ts';
import type { LoadGauge } from '@errand/base/load/load-gauge.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { writeChallenge } from './challenge.ts';
import { pathOf } from './request-path.ts';
import { endSocket, faultOfParser, renderRawAnswer } from './client-error.ts';
import { answerHeaders, faultHeaders, renderFault } from './envelope.ts';
import { isLegacyPath, renderLegacyFault } from '../../legacy/fault-body.ts';
import { bodyCut, faultOf } from './fault-of.ts';
import { logFault, logRequest, measureRequest } from './request-log.ts';
import { checkRequest } from './request-guard.ts';
import { Traffic } from './request-traffic.ts';
import { allowForStalls } from './stall-allowance.ts';

const usualBodyBytes = 1024 * 1024;

declare module 'node:http' {
  interface ServerResponse {
    /** Set once it waits for another server, or for its caller to send something, and so says nothing of the load of this process. */
    awaitsOthers?: boolean;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault with which the request was refused or failed; null for none. */
    fault: Fault | null;
    /** The task that the response is about; null if it is about none. */
    taskId: string | null;
  }
}

/** Slow clients are disconnected before they cost anything. The idle limit is not for streams, nor for callers that wait for a handler. */
const limits = {
  bodyLimit: usualBodyBytes,
  connectionTimeout: 15_000,
  keepAliveTimeout: 72_000,
  requestTimeout: 10_000,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384, requireHostHeader: false },
};

/** The operation table validates requests and serializes responses, so Fastify's compilers are not needed. */
function noCompiler(): never {
  throw new Error('routes have no schemas');
}
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };

/** Time limits for receiving a request, and for an idle connection, in milliseconds. */
export interface ServerTimeouts {
  requestTimeout: number;
  connectionTimeout: number;
  /** Time limit of a handler; default: three minutes. */
  handlerTimeout?: number;
}

export interface HttpServerParts {
  clock: Clock;
  log: Log;
  gauge: LoadGauge;
  timeouts?: Partial<ServerTimeouts>;
  metrics?: Metrics;
  /** Called after every request that this server has routed. */
  noteEnd?(request: FastifyRequest, reply: FastifyReply, tookMs: number): void;
  /** Whether this server serves v1, whose errors have their own shape. */
  hasLegacy?: boolean;
  /** Where clients see the service, for a server with resources for which they can get a token. */
  publicUrl?(): string;
  /** The path that a request means, if that depends on its host. */
  rewriteUrl?(request: IncomingMessage): string;
  /** Sends a person who asks for a page that does not exist one that says so; without it, everybody gets an envelope. */
  sendMissingPage?(request: FastifyRequest, reply: FastifyReply, fault: Fault): Promise<FastifyReply>;
}

/** A server whose every response, including errors, is an envelope. */
export interface HttpServer {
  app: FastifyInstance;
  /** Resolves when no request is in progress; their connections are closed with them. */
  drain(): Promise<void>;
}

/** A server with its address. */
export interface Server extends HttpServer {
  listen(): Promise<void>;
}

type SendFault = (request: FastifyRequest, reply: FastifyReply, fault: Fault) => void;

function prepareSending({ hasLegacy = false, publicUrl }: HttpServerParts): SendFault {
  return (request, reply, fault) => {
    void reply.code(fault.status).headers(answerHeaders).headers(faultHeaders(fault)).header('x-request-id', request.id);
    const challenge = publicUrl ? writeChallenge(request, pathOf(request), fault, publicUrl()) : null;
    if (challenge !== null) void reply.header('www-authenticate', challenge);
    const isLegacy = hasLegacy && isLegacyPath(pathOf(request));
    void reply.send(isLegacy ? renderLegacyFault(fault) : renderFault(request.id, fault, publicUrl?.()));
  };
}

/** Methods of each path, to distinguish a wrong method from an unknown path. */
function trackMethods(app: FastifyInstance): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  app.addHook('onRoute', ({ url, method }) => {
    methods.set(url, [...(methods.get(url) ?? []), method].flat());
  });
  return methods;
}

/** Whether a browser is on its way to a page, and not a program to an operation. */
export function isPageVisit(request: FastifyRequest): boolean {
  if (request.method !== 'GET' || request.headers.accept?.includes('text/html') !== true) return false;
  return !/^\/(v1|v2|web|mcp)(\/|$)/.test(pathOf(request));
}

function answerUnknown(methods: ReadonlyMap<string, string[]>, sendFault: SendFault, { sendMissingPage }: HttpServerParts) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methods.get(pathOf(request));
    if (!allowed) {
      const fault = new Fault('not_found', 'Nothing exists at this URL.');
      const send = sendMissingPage && isPageVisit(request) ? sendMissingPage : sendFault;
      return send(request, reply, fault);
    }
    void reply.header('allow', allowed.join(', '));
    const problem = `This address takes ${allowed.join(' and ')}, not ${request.method}.`;
    sendFault(request, reply, new Fault('invalid_argument', problem, { status: 405 }));
  };
}

/** Handles what Fastify never sees: invalid HTTP, `Expect` with an unknown value, `CONNECT`. */
function answerRaw(app: FastifyInstance, { clock, log, hasLegacy = false, publicUrl }: HttpServerParts, traffic: Traffic) {
  const refuse = (socket: Socket, fault: Fault, start?: unknown) => {
    const remedy = traffic.chooseRemedy(socket, fault.status);
    if (remedy === 'destroy') {
      socket.destroy();
      return;
    }
    const requestId = newRequestId(clock.now());
    if (remedy === 'answer') log.info({ status: fault.status, request_id: requestId, reason: fault.message }, 'request');
    endSocket(socket, renderRawAnswer(requestId, fault, { start: hasLegacy ? start : undefined, publicUrl: publicUrl?.() }));
  };
  app.server.on('connect', (_: IncomingMessage, socket: Socket) => {
    // From here on nothing else handles this socket.
    socket.on('error', () => socket.destroy());
    refuse(socket, new Fault('invalid_argument', 'This service is not a proxy.', { status: 405 }));
  });
  app.server.on('checkExpectation', (request: IncomingMessage) => {
    refuse(
      request.socket,
      new Fault('invalid_argument', 'expect: only 100-continue is supported', { status: 417, param: 'expect' }),
    );
  });
  return refuse;
}

export function buildHttpServer(parts: HttpServerParts): HttpServer {
  const { clock, log, gauge, metrics } = parts;
  const { handlerTimeout, ...timeouts } = parts.timeouts ?? {};
  const traffic = new Traffic(clock, handlerTimeout);
  const sendFault = prepareSending(parts);
  const app: FastifyInstance = fastify({
    ...limits,
    schemaController: { compilersFactory: noCompilers },
    ...timeouts,
    ...(parts.rewriteUrl && { rewriteUrl: parts.rewriteUrl }),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    requestIdHeader: false,
    genReqId: () => newRequestId(clock.now()),
    routerOptions: { querystringParser: (text) => ({ text }) },
    clientErrorHandler: (error, socket) => refuse(socket, faultOfParser(error.code), error.rawPacket),
    frameworkErrors: (error, request, reply) => sendFault(request, reply, faultOf(error)),
  });
  const refuse = answerRaw(app, parts, traffic);
  allowForStalls(app.server);
  app.server.on('timeout', (socket: Socket) => {
    if (traffic.awaitsAnswer(socket)) socket.setTimeout(socket.timeout ?? limits.connectionTimeout);
    else socket.destroy();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const name of ['caller', 'fault', 'taskId']) app.decorateRequest(name, null);
  app.addHook('onRequest', (request, reply, next) => {
    const startedAt = clock.monotonic();
    traffic.enter(request.raw, reply.raw);
    // Runs after every response, and also if the caller disconnected before it.
    reply.raw.once('close', () => {
      traffic.leave(request.raw, reply.raw);
      const tookMs = clock.monotonic() - startedAt;
      gauge.leave(reply.raw);
      logRequest(log, request, reply, tookMs);
      if (metrics) measureRequest(metrics, request, reply, tookMs);
      parts.noteEnd?.(request, reply, tookMs);
    });
    checkRequest(request.raw);
    traffic.admit(request.raw, reply.raw, next);
  });
  // From here on it waits for this process, until its handler says that it waits for others. Whoever has left no longer waits, nor leaves again.
  app.addHook('preHandler', (_request, reply, next) => {
    if (!reply.raw.destroyed) gauge.arrive(reply.raw);
    next();
  });
  app.setErrorHandler((error, request, reply) => {
    const isCut = request.raw.destroyed && !request.raw.complete;
    const fault = isCut ? bodyCut : faultOf(error);
    request.fault = fault;
    logFault(log, request, fault);
    // Drains a rejected body, so that the caller receives the response before the connection closes.
    if (reply.hasHeader('connection')) void reply.header('connection', 'keep-alive');
    sendFault(request, reply, fault);
  });
  app.setNotFoundHandler(answerUnknown(trackMethods(app), sendFault, parts));
  return { app, drain: () => traffic.drain() };
}
