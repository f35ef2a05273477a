import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Uploads } from '../../api/files/uploads.ts';
import type { ContentAddresses } from '../../rules/files/content-url.ts';
import { answerHeaders, renderSuccess } from '../server/envelope.ts';
import { parseQuery } from '../server/query-string.ts';
import type { RawQuery } from '../operations/operation-routes.ts';

export interface ContentUploadsParts {
  uploads: Uploads;
  addresses: ContentAddresses;
}

/** Unchanged, whatever it is. */
export function sentContentType({ raw }: FastifyRequest): string | undefined {
  const at = raw.rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type');
  return at === -1 ? undefined : raw.rawHeaders[at + 1];
}

async function receive(parts: ContentUploadsParts, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { fileId } = request.params as { fileId: string };
  const { token = '' } = parseQuery((request.query as RawQuery).text);
  const { accountId } = parts.addresses.readUpload(fileId, token);
  const { 'content-length': length } = request.headers;
  const bytes = length === undefined ? null : Number(length);
  reply.raw.awaitsOthers = true;
  // Left open if it is not read to its end: the sender still has to receive the reason.
  const source = request.raw.iterator({ destroyOnReturn: false });
  try {
    await parts.uploads.receive(accountId, fileId, { source, bytes, contentType: sentContentType(request) });
  } finally {
    // The rest of a rejected body is drained, or the next request on this connection would wait behind it forever.
    request.raw.resume();
  }
  void reply.headers(answerHeaders).header('x-request-id', request.id);
  return renderSuccess(request.id, {});
}

/** Upload URLs: one PUT with the raw bytes, also allowed for pages of other origins. */
export function mountContentUploads(server: FastifyInstance, parts: ContentUploadsParts): void {
  // The type is not checked before the bytes are stored: any, none and an invalid one are treated alike.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.addHook('onRequest', (request, _reply, next) => {
    delete request.raw.headers['content-type'];
    next();
  });
  server.route({ method: 'PUT', url: '/uploads/:fileId', handler: (request, reply) => receive(parts, request, reply) });
  server.route({
    method: 'OPTIONS',
    url: '/uploads/:fileId',
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'PUT',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '600',
        })
        .send(),
  });
}
