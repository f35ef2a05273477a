import { FairGate } from '@errand/base/load/fair-gate.ts';
import type { FastifyInstance } from 'fastify';
import type { HandlerServices } from '../../api/contract/operation.ts';
import { createUrls, type Urls } from '../../api/contract/urls.ts';
import { pause } from '@errand/base/clock.ts';
import { describeProvider } from '../../oauth/pages/sign-in/sign-in-ways.ts';
import { formatTaskToken } from '../../rules/tasks/task-token.ts';
import { createPasswordPace } from '../../store/accounts/sign-in-attempts.ts';
import { noteAddresses } from '../../store/instance/instance-values.ts';
import { openCredentials } from '../authentication/credentials.ts';
import { buildContentOrigin } from '../content/content-origin.ts';
import type { HttpParts } from '../server/http-parts.ts';
import type { HttpServer } from '../server/http-server.ts';
import { Listener } from '../server/listen-addresses.ts';
import type { DeliveryParts } from '../triggers/delivery-ports.ts';
import { LogTails } from '../../api/events/log-tails.ts';
import { OpenStreams, StreamPulse } from '../streaming/open-streams.ts';
import { RequestRecorder } from '../requests/request-recorder.ts';
import { buildControlServer } from './control-server.ts';
import { buildPublicServer } from './public-server.ts';

/** The servers of one run. */
export interface ServerGroup {
  control: FastifyInstance;
  deliveries: DeliveryParts;
  listen(): Promise<void>;
  close(): Promise<void>;
  url(): string;
  contentUrl(): string;
}

/** Waits for requests in progress, as long as the settings allow. */
async function drain(parts: HttpParts, servers: readonly HttpServer[]): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    Promise.all(servers.map((server) => server.drain())),
    pause(parts.clock, parts.settings.drainMs, timeout.signal),
  ]);
  timeout.abort();
}

/** Events that are listed at the same time; one account alone reads a single page of the greatest length. */
const mostEvents = 400;
/** Files of messages that are fetched at once; each holds a connection. */
const mostFetches = 64;

/** Selects the services that operation handlers may use. */
function gatherServices(parts: HttpParts, urls: Urls): HandlerServices {
  const { database, settings, signIn, handlerServices, blobs, httpClient, clock, contentKey } = parts;
  return {
    ...handlerServices,
    urls,
    taskTokens: contentKey && { format: (claims) => formatTaskToken(contentKey, claims) },
    families: settings.headerFamilies,
    passwordPace: createPasswordPace(database),
    intake: { blobs, httpClient, clock, fetches: new FairGate({ capacity: mostFetches }) },
    eventPages: new FairGate({ capacity: mostEvents }),
    provider: describeProvider(signIn),
    acceptsPasswords: signIn.acceptsPasswords,
    accountMail: signIn.mail,
  };
}

/** Builds the public server, the content origin and the control server, which start and stop together. */
export function openServerGroup(parts: HttpParts): ServerGroup {
  const { host, port, publicUrl, sharesPorts: isShared = false } = parts.settings;
  const listener = new Listener({ host, port, publicUrl, setting: 'ERRAND_PORT', isShared });
  const credentials = openCredentials(parts);
  const recorder = new RequestRecorder(parts);
  const [streams, pulse] = [new OpenStreams(), new StreamPulse(parts.clock)];
  let isReady = false;
  const content = buildContentOrigin(parts);
  const places = { publicUrl: () => listener.publicUrl, contentUrl: content.url, previewBase: content.previews.base };
  const urls = createUrls(places.publicUrl, content.addresses, content.previews);
  const logs = new LogTails({ ...parts, urls, hints: parts.database.hints });
  const shared = { ...parts, handlerServices: gatherServices(parts, urls), streams, pulse, logs };
  const visible = buildPublicServer({
    ...shared,
    ...places,
    uploads: content.uploads,
    credentials,
    recorder,
    isReady: () => isReady,
  });
  const control = buildControlServer(shared);
  const servers = [visible, control, content];
  return {
    control: control.app,
    deliveries: shared,
    url: () => listener.url,
    contentUrl: content.url,
    async listen() {
      if (visible.app.server.listening) return;
      await listener.listen(visible.app);
      await content.listen();
      await logs.start();
      await parts.database.run(noteAddresses, { baseUrl: listener.publicUrl, contentUrl: content.url() });
      await control.listen();
      isReady = true;
    },
    async close() {
      isReady = false;
      const closed = Promise.all(servers.map(({ app }) => app.close()));
      await Promise.all([streams.end(), logs.stop(), drain(parts, servers)]);
      for (const { app } of servers) app.server.closeAllConnections();
      await closed;
      await control.close();
      await parts.limiter?.close();
      await credentials.close();
      await recorder.flush();
    },
  };
}
