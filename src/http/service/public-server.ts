import type { FastifyInstance } from 'fastify';
import { operations, webOperations } from '../../api/index.ts';
import type { Uploads } from '../../api/files/uploads.ts';
import { legacyOperations } from '../../legacy/index.ts';
import {
  authenticateEither,
  authenticateLegacy,
  authenticateNobody,
  type AuthenticateParts,
  authenticateProgram,
  authenticatePublic,
  authenticateVisitor,
} from '../authentication/authenticate.ts';
import type { Credentials } from '../authentication/credentials.ts';
import { mountProbes } from '../instance/health-probes.ts';
import { mountMetrics } from '../instance/metrics-page.ts';
import { mountLegacy } from '../legacy/legacy-routes.ts';
import { mountMcp } from '../operations/mcp-routes.ts';
import { mountOperations, type RouteParts } from '../operations/operation-routes.ts';
import { noteRequest } from '../requests/note-request.ts';
import type { RequestRecorder } from '../requests/request-recorder.ts';
import { mountReference } from '../openapi/reference-routes.ts';
import { mountApiVersion } from '../server/api-version.ts';
import { mountCors } from '../server/cors.ts';
import type { HttpParts } from '../server/http-parts.ts';
import { buildHttpServer, type HttpServer } from '../server/http-server.ts';
import { createVisitorReader } from '../server/visitor-reader.ts';
import { mountTriggers } from '../triggers/trigger-route.ts';
import { mountCspReports } from '../web/csp-reports.ts';
import { mountWeb, sendFaultPage } from '../web/page-routes.ts';
import { mountWebApp } from '../web/web-app.ts';

export interface PublicServerParts extends Omit<HttpParts, 'handlerServices'>, Omit<RouteParts, 'authenticate'> {
  uploads: Uploads;
  recorder: RequestRecorder;
  credentials: Credentials;
  isReady(): boolean;
  /** Public URLs of this server and the content origin. */
  publicUrl(): string;
  contentUrl(): string;
  previewBase(): string;
}

/** Mounts both versions of the API, each with its own authentication. */
function mountApis(app: FastifyInstance, parts: PublicServerParts, credentials: AuthenticateParts): void {
  const current = { ...parts, authenticate: authenticatePublic(credentials) };
  mountOperations(app, operations, current);
  for (const operation of webOperations) {
    const isForAll = operation.access === 'visitor';
    mountOperations(app, [operation], isForAll ? { ...parts, authenticate: authenticateVisitor(credentials) } : current);
  }
  mountMcp(app, { ...parts, authenticate: authenticateProgram(credentials) });
  mountLegacy(app, legacyOperations, {
    ...parts,
    authenticate: authenticateLegacy(credentials),
    authenticateEither: authenticateEither(credentials),
    authenticateNobody: authenticateNobody(credentials),
  });
}

/** Builds the public server: the API, the authorization server, the web application, and the monitoring endpoints. */
export function buildPublicServer(parts: PublicServerParts): HttpServer {
  const { database, settings, metrics, credentials, publicUrl, handlerServices } = parts;
  const families = settings.headerFamilies;
  const visitorOf = createVisitorReader(settings.trustedProxies);
  const server = buildHttpServer({
    ...parts,
    hasLegacy: true,
    sendMissingPage: (...asked) => sendFaultPage(parts, ...asked),
    noteEnd: (request, reply, tookMs) => noteRequest(parts.recorder, request, reply, tookMs, parts.clock.now()),
  });
  mountCors(server.app, { ...settings, publicUrl });
  mountApiVersion(server.app);
  mountApis(server.app, parts, { ...credentials, families, publicUrl, visitorOf });
  mountWeb(server.app, { ...parts, ...handlerServices, visitorOf, canBeSetUpHere: settings.controlSocket !== null });
  mountWebApp(server.app, { ...parts, sessions: credentials.sessions });
  mountTriggers(server.app, parts);
  mountCspReports(server.app, parts);
  if (metrics) mountMetrics(server.app, { database, metrics });
  mountProbes(server.app, parts);
  mountReference(server.app, { families, publicUrl });
  return server;
}
