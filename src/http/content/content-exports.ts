import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { AccountArchives } from '../../api/contract/account-archives.ts';
import type { ContentAddresses } from '../../rules/files/content-url.ts';
import { contentHeaders } from '../../rules/files/content-safety.ts';
import type { RawQuery } from '../operations/operation-routes.ts';
import { parseQuery } from '../server/query-string.ts';

export interface ContentExportsParts {
  archives: Pick<AccountArchives, 'open'>;
  addresses: Pick<ContentAddresses, 'readAccountExport'>;
}

async function* passOn(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Accounts with everything of them, under signed URLs. They are read while they are sent, so a broken download starts over. */
export function mountContentExports(server: FastifyInstance, { archives, addresses }: ContentExportsParts): void {
  server.route({
    method: 'GET',
    url: '/exports/*',
    async handler(request, reply) {
      const filename = (request.params as { '*': string })['*'];
      const { token = '' } = parseQuery((request.query as RawQuery).text);
      const pieces = archives.open(addresses.readAccountExport(filename, token).accountId);
      // Whether there is an account, and room for another export, is known with the first piece.
      const first = await pieces.next();
      const body = Readable.from(passOn(first.value as Uint8Array, pieces), { objectMode: false });
      // Also if nobody has begun to read it.
      body.once('close', () => void pieces.return(undefined as never).catch(() => undefined));
      return reply
        .headers(contentHeaders(filename, 'application/zip'))
        .headers({ 'x-request-id': request.id, 'cache-control': 'private, no-store' })
        .send(body);
    },
  });
}
