import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PdfService } from '../../api/artifacts/pdf-service.ts';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { Readable } from 'node:stream';
import { namesTag, readByteRange, type Stretch } from '../../rules/http/byte-range.ts';
import type { ContentAddresses, ContentFile } from '../../rules/files/content-url.ts';
import { contentHeaders } from '../../rules/files/content-safety.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { BlobMissing } from '../../store/blobs/blob-store.ts';
import { servePdf } from './content-pdf.ts';
import { parseQuery } from '../server/query-string.ts';
import type { RawQuery } from '../operations/operation-routes.ts';

/** Blobs never change, but a user who lost access to one should not find it in a cache for long. */
const mostCachedS = 60 * 60;

export interface ContentFilesParts {
  blobs: Blobs;
  addresses: ContentAddresses;
  pdfConversion: PdfService;
  now(): number;
}

const gone = () => new Fault('not_found', 'This file no longer exists.');

/** The file that a request may have by its token, its name, and whether to save it instead of showing it. */
function readAddress(request: FastifyRequest, addresses: ContentAddresses) {
  const filename = (request.params as { '*': string })['*'];
  const { token = '', download, as } = parseQuery((request.query as RawQuery).text);
  if (as !== undefined && as !== 'pdf') throw invalidField('as', 'only pdf is possible');
  return { ...addresses.readFile(filename, token), isDownload: download === 'true', isPdf: as === 'pdf' };
}

/** The requested range; 416 if unsatisfiable. */
export function chooseRange({ headers }: FastifyRequest, reply: FastifyReply, tag: string, bytes: number): Stretch | null {
  const isFresh = headers['if-range'] === undefined || headers['if-range'] === tag;
  const range = isFresh ? readByteRange(headers.range, bytes) : 'all';
  if (range !== 'none') return range === 'all' ? null : range;
  void reply.header('content-range', `bytes */${bytes}`);
  throw new Fault('invalid_argument', 'The range starts beyond the end of the file.', { status: 416 });
}

/** A range of a blob, or all of it; 404 if it is gone. */
export async function openStretch(
  blobs: Blobs,
  { accountId, blobId }: Pick<ContentFile, 'accountId' | 'blobId'>,
  stretch: Stretch | null,
): Promise<Readable> {
  try {
    return await blobs.open(accountId, blobId, stretch ?? undefined);
  } catch (error) {
    throw error instanceof BlobMissing ? gone() : error;
  }
}

/** A file that the caller may read. */
export interface ServedFile extends Pick<ContentFile, 'accountId' | 'blobId' | 'bytes'> {
  headers: Record<string, string>;
}

/** `GET` and `HEAD` of one file, whole or in part (RFC 9110, 13 and 14). Sets no header before it knows that the file exists. */
export async function serveFile(
  blobs: Blobs,
  { headers, ...file }: ServedFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tag = `"${file.blobId}"`;
  const common = { ...headers, 'x-request-id': request.id, 'accept-ranges': 'bytes', etag: tag };
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).headers(common).send();
  const range = chooseRange(request, reply, tag, file.bytes);
  const length = range === null ? file.bytes : range.end - range.start + 1;
  if (!(await blobs.isNeeded(file.accountId, file.blobId))) throw gone();
  const isHead = request.method === 'HEAD';
  if (isHead && (await blobs.size(file.accountId, file.blobId)) === null) throw gone();
  const body = isHead ? undefined : await openStretch(blobs, file, range);
  if (range !== null) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`);
  return reply.headers(common).header('content-length', length).send(body);
}

async function serveAddress(parts: ContentFilesParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { isPdf, ...named } = readAddress(request, parts.addresses);
  const { filename, contentType, isDownload, endsAtMs, ...file } = named;
  if (isPdf) {
    if (!(await parts.blobs.isNeeded(file.accountId, file.blobId))) throw gone();
    return servePdf(parts.pdfConversion, named, request, reply);
  }
  const cachedS = Math.min(mostCachedS, Math.floor((endsAtMs - parts.now()) / 1000));
  const cached = { 'cache-control': `private, max-age=${cachedS}, immutable` };
  const headers = { ...contentHeaders(filename, contentType, isDownload), ...cached };
  return serveFile(parts.blobs, { ...file, headers }, request, reply);
}

/** Files under their signed URLs. */
export function mountContentFiles(server: FastifyInstance, parts: ContentFilesParts): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/files/*',
    handler: async (request, reply) => serveAddress(parts, request, reply),
  });
}
