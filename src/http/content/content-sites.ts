import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { namesTag } from '../../rules/http/byte-range.ts';
import type { ContentAddresses } from '../../rules/files/content-url.ts';
import { cleanContentType, siteSandbox } from '../../rules/files/content-safety.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { findPage, type SiteFile } from '../../rules/websites/site.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { Database } from '../../store/db/database.ts';
import { findPublicSite, findSignedSite, type LiveSite } from '../../store/websites/published-websites.ts';
import { chooseRange, openStretch } from './content-files.ts';
import { answerMissingSites } from './missing-site-page.ts';
import { SiteIndexes } from './site-indexes.ts';

export interface ContentSitesParts {
  database: Database;
  blobs: Blobs;
  addresses: ContentAddresses;
}

const siteHeaders = {
  'content-security-policy': siteSandbox,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // Its own scripts and fonts have the site's origin, not the page's opaque one.
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

const gone = () => new Fault('not_found', 'This page does not exist.');

/** The rest of the URL path, decoded. */
function restOf(request: FastifyRequest): string {
  return (request.params as { '*'?: string })['*'] ?? '';
}

function isPrivate({ visibility }: LiveSite): boolean {
  return visibility !== 'public';
}

/** One file of the checkpoint's blob, whole or in part. */
async function servePage(
  blobs: Blobs,
  site: LiveSite,
  { file, status }: { file: SiteFile; status: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tag = `"${file.sha256.slice(0, 32)}"`;
  const headers = {
    ...siteHeaders,
    'x-request-id': request.id,
    'content-type': cleanContentType(contentTypeOf(file.path)),
    'cache-control': isPrivate(site) ? 'private, no-cache' : 'public, max-age=60',
    'accept-ranges': 'bytes',
    etag: tag,
    ...(isPrivate(site) && { 'x-robots-tag': 'noindex' }),
  };
  if (status === 200 && namesTag(request.headers['if-none-match'], tag)) return reply.code(304).headers(headers).send();
  const range = status === 200 ? chooseRange(request, reply, tag, file.bytes) : null;
  const length = range === null ? file.bytes : range.end - range.start + 1;
  const from = file.start + (range?.start ?? 0);
  const isEmpty = request.method === 'HEAD' || length === 0;
  const body = isEmpty ? undefined : await openStretch(blobs, site, { start: from, end: from + length - 1 });
  if (range !== null) void reply.header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  return reply
    .code(range === null ? status : 206)
    .headers(headers)
    .header('content-length', length)
    .send(body);
}

/** Published sites: public ones under their own name, the others under signed URLs. */
export function mountContentSites(server: FastifyInstance, parts: ContentSitesParts): void {
  void server.register((scope, _options, done) => {
    answerMissingSites(scope);
    mountSiteRoutes(scope, parts);
    done();
  });
}

function mountSiteRoutes(server: FastifyInstance, { database, blobs, addresses }: ContentSitesParts): void {
  const indexes = new SiteIndexes(blobs);

  async function serve(site: LiveSite | null, path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!site) throw gone();
    const answer = findPage(await indexes.read(site), path);
    if (answer.kind === 'missing') throw gone();
    if (answer.kind === 'file') return servePage(blobs, site, answer, request, reply);
    // Relative, so that no page name can lead to another host.
    const last = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
    return reply.code(308).headers(siteHeaders).header('location', `./${last}/`).send();
  }

  const methods = ['GET', 'HEAD'];
  server.route({
    method: methods,
    url: '/sites/:space',
    handler: (request, reply) => {
      const { space = '' } = request.params as { space?: string };
      return reply
        .code(308)
        .headers(siteHeaders)
        .header('location', `./${encodeURIComponent(space)}/`)
        .send();
    },
  });
  server.route({
    method: methods,
    url: '/sites/:space/*',
    handler: async (request, reply) => {
      const { space = '' } = request.params as { space?: string };
      const site = /^[0-9A-Za-z]{22}$/.test(space) ? await database.run(findPublicSite, { space }) : null;
      return serve(site, restOf(request), request, reply);
    },
  });
  server.route({
    method: methods,
    // The token is too long for a parameter of the router.
    url: '/private-sites/*',
    handler: async (request, reply) => {
      const [token = '', ...names] = restOf(request).split('/');
      return serve(await database.run(findSignedSite, addresses.readSite(token)), names.join('/'), request, reply);
    },
  });
}
