import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { previewBodyBytes, readPreviewHost } from '../../rules/previews/preview-address.ts';
import { faultOf } from '../server/fault-of.ts';
import { isPageVisit } from '../server/http-server.ts';
import { sendMissingSitePage } from './missing-site-page.ts';
import type { ContentPreviewsParts } from './preview-addresses.ts';

const folder = '/previews/';

/** Requests to the host of a preview are those to its folder, so that nothing else of this origin answers there. */
export function routePreviewHost({ headers, url = '/' }: IncomingMessage): string {
  const name = readPreviewHost(headers.host);
  return name === null ? url : `${folder}${name}${url}`;
}

async function answer(parts: ContentPreviewsParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { name = '' } = request.params as { name?: string };
  const path = request.url.slice(folder.length + name.length);
  const { servePreview } = await import('./serve-preview.ts');
  return servePreview(parts, { name, path }, request, reply);
}

/** Servers in the sandboxes of tasks, under signed names (docs/internals/decisions/0076-servers-of-a-task-are-seen-through-its-worker.md). */
export function mountContentPreviews(server: FastifyInstance, parts: ContentPreviewsParts): void {
  void server.register((scope, _options, done) => {
    scope.setErrorHandler(async (error, request, reply) => {
      if (!isPageVisit(request)) throw error;
      return sendMissingSitePage(request, reply, faultOf(error));
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: previewBodyBytes }, (_request, body, next) =>
      next(null, body),
    );
    const handler = (request: FastifyRequest, reply: FastifyReply) => answer(parts, request, reply);
    const method = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const url of [`${folder}:name`, `${folder}:name/*`]) scope.route({ method, url, bodyLimit: previewBodyBytes, handler });
    done();
  });
}
