import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import { createCookieJar } from '../../oauth/request/cookies.ts';
import { signInPath } from '../../oauth/pages/session/next-page.ts';
import type { Session } from '../../store/accounts/sessions.ts';
import type { CredentialOwners } from '../authentication/credential-owners.ts';
import { mountDocs } from './docs-routes.ts';
import { mountSharePictures, readSharePage, type SharePictureParts } from './share-page.ts';
import { answerPageErrors } from './page-routes.ts';
import { chooseCoding, fileOf, findWebFiles, type WebFiles, type WebPage } from './web-assets.ts';
import { serviceWorkerHeaders, webAssetHeaders, webPageHeaders } from './web-policy.ts';

export interface WebAppParts extends SharePictureParts {
  clock: Clock;
  log: Log;
  sessions: CredentialOwners<Session>;
  /** Public URLs of the service and the content origin. */
  publicUrl(): string;
  contentUrl(): string;
  /** Where servers in sandboxes are seen, with `*` for the name of one. */
  previewBase(): string;
  /** Path of the built application. */
  webFolder?: string;
}

/** The default output of `npm run build`. */
export const builtFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** URLs of the application, which has its own router. The first group requires sign-in. */
const signedInPages = [
  '/',
  '/app/:task_id',
  '/examples/:name',
  '/inbox',
  '/library',
  '/agent',
  '/schedules',
  '/schedules/*',
  '/triggers',
  '/triggers/*',
  '/recipes',
  '/projects',
  '/projects/*',
  '/connectors',
  '/skills',
  '/memory',
  '/usage',
  '/developers',
  '/developers/*',
  '/settings',
  '/settings/*',
  '/instance',
  '/instance/*',
  '/team',
  '/team/accept',
];

/** The files, located on first use, so that no start waits for them. */
function findOnce(folder: string): () => WebFiles {
  let found: WebFiles | null = null;
  return () => {
    found ??= findWebFiles(folder);
    if (found) return found;
    throw new Fault('unavailable', 'The web application has not been built on this machine. Operators: run npm run build.');
  };
}

async function sendAsset(files: WebFiles, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { name = '' } = request.params as { name?: string };
  const asset = files.assets.get(name);
  if (!asset) throw new Fault('not_found', 'Nothing exists at this URL.');
  const coding = chooseCoding(asset, request.headers['accept-encoding']);
  const etag = `"${name}${coding === null ? '' : `-${coding}`}"`;
  void reply.headers({ ...webAssetHeaders, etag, 'x-request-id': request.id });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const bytes = await readFile(fileOf(asset, coding));
  if (coding !== null) void reply.header('content-encoding', coding);
  return reply.header('content-type', asset.contentType).send(bytes);
}

type SendPage = (request: FastifyRequest, reply: FastifyReply, page: WebPage) => FastifyReply;

function createPageSender({ contentUrl, previewBase }: Pick<WebAppParts, 'contentUrl' | 'previewBase'>): SendPage {
  return (request, reply, { bytes, etag }) => {
    void reply.headers({ ...webPageHeaders(contentUrl(), previewBase()), etag, 'x-request-id': request.id });
    const isKnown = reply.statusCode === 200 && request.headers['if-none-match'] === etag;
    return isKnown ? reply.code(304).send() : reply.send(bytes);
  };
}

function createSessionSearch({ publicUrl, sessions }: WebAppParts) {
  return async ({ headers }: FastifyRequest): Promise<Session | null> => {
    const cookie = createCookieJar(publicUrl()).read(headers.cookie, 'errand_session');
    const session = cookie === null ? null : await sessions.find(cookie);
    return session?.status === 'active' ? session : null;
  };
}

function mountWebPages(server: FastifyInstance, parts: WebAppParts, find: () => WebFiles): void {
  const findSession = createSessionSearch(parts);
  const sendPage = createPageSender(parts);
  void server.register((scope, _options, done) => {
    answerPageErrors(scope, parts);
    const page = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
      scope.route({ method: 'GET', url, exposeHeadRoute: true, config: { kind: 'page' }, handler });
    for (const url of signedInPages) {
      page(url, async (request, reply) => {
        if (await findSession(request)) return sendPage(request, reply, find().page);
        return reply
          .code(303)
          .headers({ location: signInPath(request.url), 'cache-control': 'no-store' })
          .send();
      });
    }
    page('/share/:share_id', async (request, reply) => {
      const { share_id: shareId = '' } = request.params as { share_id?: string };
      const readerId = (await findSession(request))?.accountId ?? null;
      const about = { page: find().page, database: parts.database, publicUrl: parts.publicUrl(), shareId, readerId };
      const [shown, isThere] = await readSharePage(about);
      // The page informs people; programs that check a link need the status.
      if (!isThere) void reply.code(404);
      return sendPage(request, reply.header('x-robots-tag', 'noindex, nofollow'), shown);
    });
    done();
  });
}

function sendServiceWorker({ serviceWorker }: WebFiles, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { bytes, etag } = serviceWorker;
  void reply.headers({ ...serviceWorkerHeaders, etag, 'x-request-id': request.id });
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes);
}

/** Serves the application: one page for all of its URLs, and its assets. */
export function mountWebApp(server: FastifyInstance, parts: WebAppParts): void {
  const folder = parts.webFolder ?? builtFolder;
  const find = findOnce(folder);
  if (!existsSync(join(folder, 'index.html'))) parts.log.info({ folder }, 'no web application: it is not built; npm run build');
  mountWebPages(server, parts, find);
  mountSharePictures(server, parts);
  mountDocs(server, join(folder, 'docs'));
  server.route({
    method: 'GET',
    url: '/service-worker.js',
    exposeHeadRoute: true,
    handler: (request, reply) => sendServiceWorker(find(), request, reply),
  });
  server.route({
    method: 'GET',
    url: '/assets/:name',
    exposeHeadRoute: true,
    handler: (request, reply) => sendAsset(find(), request, reply),
  });
}
