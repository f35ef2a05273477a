import type { FastifyInstance } from 'fastify';
import { adminOperations, operations, webOperations } from '../../api/index.ts';
import type { HandlerServices } from '../../api/contract/operation.ts';
import { createPasswordPace } from '../../store/accounts/sign-in-attempts.ts';
import { createUrls, type Urls } from '../../api/contract/urls.ts';
import { pause } from '@errand/base/clock.ts';
import type { PageParts } from '../../oauth/request/web-request.ts';
import { searchSession } from '../../oauth/pages/session/session-service.ts';
import { legacyOperations } from '../../legacy/index.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { createVisitorReader } from '../server/visitor-reader.ts';
import { type Address, defaultPublicUrl, listenFault, listenUrl } from '../server/listen-addresses.ts';
import { findKeyOwner, touchApiKeys } from '../../store/accounts/api-keys.ts';
import { touchSessions } from '../../store/accounts/sessions.ts';
import {
  authenticateEither,
  authenticateLegacy,
  authenticateOperator,
  type AuthenticateParts,
  authenticateProgram,
  authenticatePublic,
  authenticateVisitor,
} from '../authentication/authenticate.ts';
import { CredentialOwners } from '../authentication/credential-owners.ts';
import { CredentialUse } from '../authentication/credential-use.ts';
import { type CspReportParts, mountCspReports } from '../web/csp-reports.ts';
import { noteAddresses } from '../../store/instance/instance-values.ts';
import { buildContentOrigin, type ContentOrigin } from '../content/content-origin.ts';
import { isSocketPathShort, listenOnControlSocket, removeControlSocket } from '../server/control-socket.ts';
import { buildHttpServer, type HttpServer } from '../server/http-server.ts';
import type { HttpParts } from '../server/http-parts.ts';
import { mountLegacy } from '../legacy/legacy-routes.ts';
import { mountMetrics } from '../instance/metrics-page.ts';
import { mountMcp } from '../operations/mcp-routes.ts';
import { describeProvider } from '../../oauth/pages/sign-in/sign-in-ways.ts';
import { OpenStreams } from '../streaming/open-streams.ts';
import { mountProbes } from '../instance/health-probes.ts';
import { mountOperations, type RouteParts } from '../operations/operation-routes.ts';
import { mountWeb, type VisitorParts } from '../web/page-routes.ts';
import { mountWebApp, type WebAppParts } from '../web/web-app.ts';

/** How long requests under way may take to end when the service stops. */
const drainMs = 8000;

/** The public server and the control server of one run. */
export interface ServerGroup {
  control: FastifyInstance;
  listen(): Promise<void>;
  close(): Promise<void>;
  url(): string;
  contentUrl(): string;
}

/** Waits for requests under way, but not for ever. */
async function drain(parts: HttpParts, servers: readonly HttpServer[]): Promise<void> {
  const patience = new AbortController();
  await Promise.race([Promise.all(servers.map((server) => server.drain())), pause(parts.clock, drainMs, patience.signal)]);
  patience.abort();
}

async function listenOnSocket(path: string, control: HttpServer): Promise<void> {
  try {
    await listenOnControlSocket(path, (made) => control.app.listen({ path: made }));
  } catch (error) {
    throw new StartFault(`ERRAND_DATA_DIR: cannot listen on ${path}: ${(error as Error).message}`, error);
  }
}

/** Both versions of the API, each with its own ways to prove who is calling. */
function mountPublic(
  app: FastifyInstance,
  parts: Omit<RouteParts, 'authenticate'> & Pick<ContentOrigin, 'uploads'> & Pick<HttpParts, 'blobs'>,
  credentials: AuthenticateParts,
): void {
  const current = { ...parts, authenticate: authenticatePublic(credentials) };
  mountOperations(app, operations, current);
  for (const operation of webOperations) {
    const isForAll = operation.access === 'visitor';
    mountOperations(app, [operation], isForAll ? { ...parts, authenticate: authenticateVisitor(credentials) } : current);
  }
  const { publicUrl } = credentials;
  mountMcp(app, { ...parts, publicUrl, authenticate: authenticateProgram(credentials) });
  const [authenticate, authenticateAny] = [authenticateLegacy(credentials), authenticateEither(credentials)];
  mountLegacy(app, legacyOperations, { ...parts, authenticate, authenticateEither: authenticateAny });
}

/** Whose keys, access tokens and sessions there are. */
function buildOwners({ database, clock, findTokenOwner }: Pick<HttpParts, 'database' | 'clock' | 'findTokenOwner'>) {
  const { hints } = database;
  return {
    keys: new CredentialOwners(hints, clock, (digest) => database.run(findKeyOwner, digest)),
    tokens: new CredentialOwners(hints, clock, findTokenOwner),
    sessions: new CredentialOwners(hints, clock, (_digest, cookie) => searchSession(database, clock, cookie)),
  };
}

/** Writes down what is used: keys to half a minute, sign-ins to a quarter of an hour. */
function buildUse({ database, clock, log }: Pick<HttpParts, 'database' | 'clock' | 'log'>) {
  return {
    keys: new CredentialUse({
      ...{ clock, log, gatherMs: 30_000 },
      write: (used, now) =>
        database.run(touchApiKeys, { now, keys: used.map(({ accountId, id }) => ({ accountId, keyId: id })) }),
    }),
    sessions: new CredentialUse({
      ...{ clock, log, gatherMs: 15 * 60_000 },
      write: (used, now) =>
        database.run(touchSessions, { now, used: used.map(({ accountId, id }) => ({ accountId, sessionId: id })) }),
    }),
  };
}

/** What people see of the service in a browser. */
function mountPages(app: FastifyInstance, parts: PageParts & VisitorParts & WebAppParts & CspReportParts): void {
  mountWeb(app, parts);
  mountWebApp(app, parts);
  mountCspReports(app, parts);
}

/** What handlers may reach of all that there is. */
function gatherServices(parts: HttpParts, urls: Urls): HandlerServices {
  const { database, settings, signIn, workspaceFiles, webhooks, passwords, credits, skills, connectors } = parts;
  return {
    ...{ workspaceFiles, webhooks, passwords, credits, skills, connectors, urls },
    families: settings.headerFamilies,
    passwordPace: createPasswordPace(database),
    intake: parts,
    provider: describeProvider(signIn),
  };
}

export function buildServerGroup(parts: HttpParts): ServerGroup {
  const { database, clock, log, gauge, settings, metrics } = parts;
  const families = settings.headerFamilies;
  const owners = buildOwners(parts);
  const use = buildUse(parts);
  const streams = new OpenStreams();
  const [visible, control] = [buildHttpServer({ ...parts, hasLegacy: true }), buildHttpServer({ clock, log, gauge })];
  const content = buildContentOrigin(parts);
  const servers = [visible, control, content.server];
  let isReady = false;
  let address: Address = { address: settings.host, port: settings.port };
  let publicUrl = settings.publicUrl ?? defaultPublicUrl(address);
  const urls = createUrls(() => publicUrl, content.addresses);
  const routeParts = { ...parts, handlerServices: gatherServices(parts, urls), streams };
  const places = { publicUrl: () => publicUrl, contentUrl: content.url, visitorOf: createVisitorReader(settings.trustedProxies) };
  mountPublic(visible.app, { ...routeParts, uploads: content.uploads }, { ...owners, ...places, use, families });
  const canBeSetUpHere = settings.controlSocket !== null;
  mountPages(visible.app, { ...parts, ...places, urls, canBeSetUpHere, sessions: owners.sessions });
  if (metrics) mountMetrics(visible.app, { database, metrics });
  mountProbes(visible.app, { ...parts, families, isReady: () => isReady, publicUrl: () => publicUrl });
  mountOperations(control.app, [...operations, ...adminOperations], {
    ...routeParts,
    // Whoever runs the instance is not limited.
    limiter: null,
    authenticate: authenticateOperator(database),
  });
  return {
    control: control.app,
    url: () => listenUrl(address),
    contentUrl: content.url,
    async listen() {
      if (visible.app.server.listening) return;
      const { host, port, controlSocket } = settings;
      await visible.app.listen({ host, port }).catch((error: unknown) => {
        throw listenFault(error, host, port);
      });
      const [bound] = visible.app.addresses();
      if (typeof bound === 'object') address = bound;
      publicUrl = settings.publicUrl ?? defaultPublicUrl(address);
      await content.listen();
      await database.run(noteAddresses, { baseUrl: publicUrl, contentUrl: content.url() });
      if (controlSocket !== null && isSocketPathShort(controlSocket)) await listenOnSocket(controlSocket, control);
      else if (controlSocket !== null)
        log.warn({ path: controlSocket }, 'no control socket: its path is too long; use a shorter data folder');
      isReady = true;
    },
    async close() {
      isReady = false;
      const closed = Promise.all(servers.map(({ app }) => app.close()));
      await Promise.all([streams.end(), drain(parts, servers)]);
      for (const { app } of servers) app.server.closeAllConnections();
      await closed;
      if (settings.controlSocket !== null) await removeControlSocket(settings.controlSocket);
      for (const known of Object.values(owners)) known.close();
      await parts.limiter?.close();
      await Promise.all([use.keys.flush(), use.sessions.flush()]);
    },
  };
}
