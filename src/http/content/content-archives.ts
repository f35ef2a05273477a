import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { nameArchiveFiles } from '../../rules/artifacts/archive-names.ts';
import type { ArchiveContent, ContentAddresses } from '../../rules/files/content-url.ts';
import { contentHeaders } from '../../rules/files/content-safety.ts';
import {
  measureZip,
  writeZipDescriptor,
  writeZipEnd,
  type ZipEntry,
  writeZipHeader,
  zipMostBytes,
} from '../../rules/artifacts/zip-layout.ts';
import {
  type ArchivedFile,
  archiveMostArtifacts,
  findArchived,
  listArchivedFiles,
} from '../../store/artifacts/archived-artifacts.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { findTaskOfShare } from '../../store/tasks/shared-tasks.ts';
import type { Database } from '../../store/db/database.ts';
import { openStretch } from './content-files.ts';
import { parseQuery } from '../server/query-string.ts';
import type { RawQuery } from '../operations/operation-routes.ts';

export interface ContentArchivesParts {
  database: Database;
  blobs: Blobs;
  addresses: ContentAddresses;
}

interface NamedFile extends ArchivedFile {
  name: string;
}

/** Streams one file after another: memory holds only a piece of one file, however large the archive. */
async function* pack(blobs: Blobs, accountId: string, files: readonly NamedFile[]): AsyncGenerator<Uint8Array> {
  const entries: ZipEntry[] = [];
  let start = 0;
  for (const { name, bytes, modifiedAtMs, blobId } of files) {
    const file = { name, bytes, modifiedAtMs };
    const header = writeZipHeader(file);
    yield header;
    let [crc, length] = [0, 0];
    for await (const piece of await openStretch(blobs, { accountId, blobId }, null)) {
      crc = crc32(piece as Uint8Array, crc);
      length += (piece as Uint8Array).byteLength;
      yield piece as Uint8Array;
    }
    if (length !== bytes) throw new Error(`a blob has ${length} bytes instead of ${bytes}`);
    const descriptor = writeZipDescriptor(crc, bytes);
    yield descriptor;
    entries.push({ ...file, crc, start });
    start += header.length + bytes + descriptor.length;
  }
  yield writeZipEnd(entries, start);
}

const goneText = 'None of these files exists any more.';

/** What an archive URL gives access to; for the URL of a share, what is currently shared. */
async function openContent(database: Database, named: ReturnType<ContentAddresses['readArchive']>): Promise<ArchiveContent> {
  if (!('shareId' in named)) return named;
  const key = await database.run(findTaskOfShare, named);
  if (!key) throw new Fault('not_found', goneText);
  return { ...key, artifactIds: [] };
}

async function findFiles(database: Database, content: ArchiveContent): Promise<NamedFile[]> {
  const artifacts = await database.run(findArchived, { ...content, onlyClientId: null });
  const files = listArchivedFiles(artifacts);
  if (files.length === 0) throw new Fault('not_found', goneText);
  const names = nameArchiveFiles(files.map(({ filename }) => filename));
  const named = files.map((file, at) => ({ ...file, name: names[at] ?? '' }));
  if (artifacts.length > archiveMostArtifacts || measureZip(named) > zipMostBytes) {
    throw new Fault('payload_too_large', 'The files no longer fit into one zip file; download them in smaller groups.');
  }
  return named;
}

async function serveArchive(
  { database, blobs, addresses }: ContentArchivesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const filename = (request.params as { '*': string })['*'];
  const { token = '' } = parseQuery((request.query as RawQuery).text);
  const content = await openContent(database, addresses.readArchive(filename, token));
  const files = await findFiles(database, content);
  const body =
    request.method === 'HEAD' ? undefined : Readable.from(pack(blobs, content.accountId, files), { objectMode: false });
  return reply
    .headers(contentHeaders(filename, 'application/zip'))
    .headers({ 'x-request-id': request.id, 'cache-control': 'private, no-store', 'content-length': measureZip(files) })
    .send(body);
}

/** Several files as one, under signed URLs. They are read while they are sent, so a broken download starts over. */
export function mountContentArchives(server: FastifyInstance, parts: ContentArchivesParts): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/archives/*',
    handler: (request, reply) => serveArchive(parts, request, reply),
  });
}
