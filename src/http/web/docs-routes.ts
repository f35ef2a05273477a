import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { chooseCoding, fileOf, findFiles, type WebAsset } from './web-assets.ts';
import { docsHeaders, lastingCache } from './web-policy.ts';

type Files = ReadonlyMap<string, WebAsset>;

/** Only listed files exist, whatever the path looks like. Folders have an index, and the names of pages can be written without `.html`. */
function findPage(files: Files, path: string): WebAsset | undefined {
  return files.get(path === '' || path.endsWith('/') ? `${path}index.html` : path) ?? files.get(`${path}.html`);
}

async function sendFile(asset: WebAsset, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const coding = chooseCoding(asset, request.headers['accept-encoding']);
  const bytes = await readFile(fileOf(asset, coding));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  void reply.headers({ ...docsHeaders, etag, 'x-request-id': request.id });
  // Fonts alone are named after their content.
  if (asset.contentType === 'font/woff2') void reply.header('cache-control', lastingCache);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (coding !== null) void reply.header('content-encoding', coding);
  return reply.header('content-type', asset.contentType).send(bytes);
}

/** Serves the documentation at /docs, to everybody, from the folder where `npm run build` writes it. */
export function mountDocs(server: FastifyInstance, folder: string): void {
  let files: Files | null = null;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    files ??= findFiles(folder);
    const { '*': path = '' } = request.params as { '*'?: string };
    // Links are relative, so the address of a folder ends with a slash.
    if (files.has(`${path}/index.html`) && !path.endsWith('/')) {
      return reply
        .code(308)
        .headers({ location: `/docs/${path}/` })
        .send();
    }
    const asset = findPage(files, path);
    if (asset) return sendFile(asset, request, reply);
    const missing = files.get('404.html');
    if (!missing)
      throw new Fault('unavailable', 'The documentation has not been built on this machine. Operators: run npm run build.');
    return sendFile(missing, request, reply.code(404));
  };
  server.route({ method: 'GET', url: '/docs/*', exposeHeadRoute: true, handler });
  server.route({
    method: 'GET',
    url: '/docs',
    exposeHeadRoute: true,
    handler: (_request, reply) => reply.code(308).headers({ location: '/docs/' }).send(),
  });
}
