import { createUploads, type Uploads } from '../../api/files/uploads.ts';
import { Fault } from '@errand/base/fault.ts';
import { type ContentAddresses, createContentAddresses } from '../../rules/files/content-url.ts';
import { Listener } from '../server/listen-addresses.ts';
import { mountContentArchives } from './content-archives.ts';
import { mountContentExports } from './content-exports.ts';
import { mountContentFiles } from './content-files.ts';
import { mountPreviewFrames } from './preview-frame.ts';
import { mountContentSites } from './content-sites.ts';
import { sendMissingSitePage } from './missing-site-page.ts';
import { mountContentPreviews, routePreviewHost } from './content-previews.ts';
import { createPreviewAddresses, type PreviewAddresses } from './preview-addresses.ts';
import { mountContentUploads } from './content-uploads.ts';
import { buildHttpServer, type Server } from '../server/http-server.ts';
import type { HttpParts } from '../server/http-parts.ts';

/** Files are large and connections slow; idle ones are closed all the same. */
const timeouts = { requestTimeout: 30 * 60 * 1000, connectionTimeout: 30_000 };

/** The second origin: what people and agents made, away from the cookies and the API of the first. */
export interface ContentOrigin extends Server {
  addresses: ContentAddresses;
  previews: PreviewAddresses;
  /** Receives uploads, at its own URLs and for other servers. */
  uploads: Uploads;
  /** Where clients see it, without a slash at the end. */
  url(): string;
}

export function buildContentOrigin({
  database,
  blobs,
  pdfConversion,
  clock,
  log,
  gauge,
  settings,
  contentKey,
  handlerServices,
}: HttpParts): ContentOrigin {
  const { host, contentPort: port, contentUrl, previewUrl, sharesPorts: isShared = false } = settings;
  const listener = new Listener({ host, port, publicUrl: contentUrl, setting: 'ERRAND_CONTENT_PORT', isShared });
  const url = () => listener.publicUrl;
  const key = () => {
    if (contentKey) return contentKey;
    throw new Fault('failed_precondition', "This process cannot sign URLs: its ERRAND_SECRET differs from the other processes'.");
  };
  const addresses = createContentAddresses({ key, now: () => clock.now(), baseUrl: url });
  const previews = createPreviewAddresses({ key, now: () => clock.now(), contentUrl: url, configured: previewUrl ?? null });
  const routing = { sendMissingPage: sendMissingSitePage, rewriteUrl: routePreviewHost };
  const server = buildHttpServer({ clock, log, gauge, timeouts, ...routing });
  server.app.addHook('onRequest', (_request, reply, next) => {
    // Also on refusals, so that pages elsewhere can read why.
    void reply.header('access-control-allow-origin', '*');
    next();
  });
  const now = () => clock.now();
  mountContentFiles(server.app, { blobs, addresses, pdfConversion, now });
  mountContentArchives(server.app, { database, blobs, addresses });
  mountContentExports(server.app, { archives: handlerServices.accountArchives, addresses });
  mountPreviewFrames(server.app);
  mountContentSites(server.app, { database, blobs, addresses });
  mountContentPreviews(server.app, { addresses: previews, channel: handlerServices.channel, clock });
  const uploads = createUploads({ database, blobs, now });
  mountContentUploads(server.app, { uploads, addresses });
  return {
    ...server,
    addresses,
    previews,
    uploads,
    url,
    listen: () => listener.listen(server.app),
  };
}
