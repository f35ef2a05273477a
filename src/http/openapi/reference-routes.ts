import type { FastifyInstance } from 'fastify';
import { operations } from '../../api/index.ts';
import { legacyOperations } from '../../legacy/index.ts';
import { answerHeaders } from '../server/envelope.ts';
import { version } from '@errand/base/program-version.ts';

export interface ReferenceParts {
  families: readonly string[];
  /** Where clients see the service. */
  publicUrl(): string;
}

/** The pages that say what can be called. They are created on first use, so that no start waits for them. */
export function mountReference(server: FastifyInstance, { families, publicUrl }: ReferenceParts): void {
  const describe = async () => {
    const { describeApi } = await import('./openapi-document.ts');
    return describeApi({ operations, legacyOperations }, version, families);
  };
  let collection: string | null = null;
  server.route({
    method: 'GET',
    url: '/postman.json',
    exposeHeadRoute: true,
    async handler(request, reply) {
      const { describeCollection } = await import('./postman-collection.ts');
      const headers = {
        'cache-control': 'public, max-age=300',
        'content-disposition': 'attachment; filename="errand.postman.json"',
      };
      void reply.headers({ ...answerHeaders, ...headers, 'x-request-id': request.id });
      return (collection ??= JSON.stringify(describeCollection(operations, version, publicUrl())));
    },
  });
  let document: string | null = null;
  let reference: string | null = null;
  server.route({
    method: 'GET',
    url: '/openapi.json',
    exposeHeadRoute: true,
    async handler(request, reply) {
      void reply.headers({ ...answerHeaders, 'cache-control': 'public, max-age=300', 'x-request-id': request.id });
      return (document ??= JSON.stringify(await describe()));
    },
  });
  server.route({
    method: 'GET',
    url: '/reference',
    exposeHeadRoute: true,
    async handler(request, reply) {
      const { referenceHeaders, renderReference } = await import('./reference-page.ts');
      void reply.headers({ ...referenceHeaders, 'x-request-id': request.id });
      return (reference ??= renderReference(await describe(), publicUrl()));
    },
  });
}
