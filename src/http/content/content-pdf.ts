import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PdfService } from '../../api/artifacts/pdf-service.ts';
import { invalidField } from '@errand/base/fault.ts';
import type { ContentFile } from '../../rules/files/content-url.ts';
import { contentHeaders } from '../../rules/files/content-safety.ts';
import { pdfSourceEnding } from '../../rules/artifacts/pdf-source.ts';

const mostCachedS = 60 * 60;

/** An office file as PDF, under the URL of the file itself. */
export async function servePdf(
  pdfService: PdfService,
  file: ContentFile & { isDownload: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const ending = pdfSourceEnding(file);
  if (ending === null) throw invalidField('as', 'only text documents and presentations have pages');
  const { accountId, blobId } = file;
  const { path, bytes } = await pdfService.convert({ accountId, blobId, bytes: file.bytes, ending });
  const headers = {
    ...contentHeaders(`${file.filename}.pdf`, 'application/pdf', file.isDownload),
    'x-request-id': request.id,
    'cache-control': `private, max-age=${mostCachedS}`,
    'content-length': bytes,
  };
  if (request.method === 'HEAD') return reply.headers(headers).send();
  // An open file stays readable even if the PDF is deleted meanwhile.
  const body = (await open(path, 'r')).createReadStream();
  return reply.headers(headers).send(body);
}
