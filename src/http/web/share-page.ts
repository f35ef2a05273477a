import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SharePictures } from '../../api/contract/services/share-pictures.ts';
import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { html } from '../../oauth/pages/layout/html.ts';
import type { Database } from '../../store/db/database.ts';
import { findPublicTask, findSharedTask } from '../../store/tasks/shared-tasks.ts';
import type { WebPage } from './web-assets.ts';
import { sharePictureHeaders } from './web-policy.ts';

const untitled = '<title>Errand</title>';

function tagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** The page of the application with a title and a picture, for link previews. */
function titlePage(page: WebPage, title: string, url: string): WebPage {
  const name = `${title} · Errand`;
  const description = `A task that was shared: ${title}`;
  const head = html`<title>${name}</title>
    <meta name="description" content="${description}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:site_name" content="Errand" />
    <meta property="og:type" content="article" />
    <meta property="og:url" content="${url}" />
    <meta property="og:image" content="${url}/picture.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${title}" />
    <meta name="twitter:card" content="summary_large_image" />`.text;
  // Not a replacement pattern: a title may contain `$&`.
  const bytes = Buffer.from(page.bytes.toString().replace(untitled, () => head));
  return { bytes, etag: tagOf(bytes) };
}

export interface SharePageParts {
  page: WebPage;
  database: Database;
  shareId: string;
  /** Public URL of the service. */
  publicUrl: string;
  /** The viewer; null if not signed in. */
  readerId: string | null;
}

/**
 * The response at the URL of a share: the page, with its title if that is public, and whether anything is shared there, even if that
 * requires signing in.
 */
export async function readSharePage({
  page,
  database,
  shareId,
  publicUrl,
  readerId,
}: SharePageParts): Promise<[WebPage, boolean]> {
  const shared = isId(shareId) ? await database.run(findSharedTask, { shareId, readerId }) : null;
  const isTitled = shared?.isVisible === true && shared.task.shareVisibility === 'public' && shared.task.title !== '';
  return [isTitled ? titlePage(page, shared.task.title, `${publicUrl}/share/${shareId}`) : page, shared !== null];
}

export interface SharePictureParts {
  database: Database;
  sharePictures: SharePictures;
}

async function sendPicture(
  { database, sharePictures }: SharePictureParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { share_id: shareId = '' } = request.params as { share_id?: string };
  const task = isId(shareId) ? await database.run(findPublicTask, { shareId }) : null;
  if (!task) throw new Fault('not_found', 'Nothing exists at this URL.');
  const etag = tagOf(JSON.stringify([task.title, task.cover?.blobId]));
  const headers = { ...sharePictureHeaders, etag, 'x-request-id': request.id };
  if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send();
  const picture = await sharePictures.draw(task);
  return reply.headers(headers).send(Buffer.from(picture));
}

/** Serves the picture of each task that is shared with everybody, while it is; of one shared with a team, nothing is shown. */
export function mountSharePictures(server: FastifyInstance, parts: SharePictureParts): void {
  server.route({
    method: 'GET',
    url: '/share/:share_id/picture.png',
    exposeHeadRoute: true,
    handler: (request, reply) => sendPicture(parts, request, reply),
  });
}
