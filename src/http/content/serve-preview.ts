import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { PreviewCall, type PreviewReply } from '../../api/tasks/previews/preview-call.ts';
import { PageFault } from '../../oauth/pages/layout/page-fault.ts';
import { passRequestHeaders, writePreviewPolicy } from '../../rules/previews/preview-headers.ts';
import type { PreviewProblem } from '../../rules/previews/preview-messages.ts';
import type { ContentPreviewsParts } from './preview-addresses.ts';
import { sentContentType } from './content-uploads.ts';

/** What every answer has, whoever wrote it: nothing of it is kept, and its page is nobody. */
function fixedHeaders(url: string): Record<string, string> {
  return {
    'content-security-policy': writePreviewPolicy(`${url}/`),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    'x-dns-prefetch-control': 'off',
    'x-robots-tag': 'noindex',
    'cache-control': 'private, no-store',
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  };
}

const allowEverything = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': '*, content-type',
  'access-control-max-age': '600',
};

function problemOf(why: PreviewProblem): PageFault {
  return new PageFault('unavailable', ({ fault }) => fault.preview[why]);
}

/** The rest of an answer, asked for piece by piece: nothing is fetched that the reader does not take. */
async function* readBody(call: PreviewCall): AsyncGenerator<Buffer> {
  try {
    for (let at = 1; ; at += 1) {
      const piece = await call.ask({ kind: 'more', at });
      if (piece?.kind !== 'piece') throw new Error('the answer of a preview broke off');
      if (piece.data !== '') yield Buffer.from(piece.data, 'base64');
      if (piece.isLast) return;
    }
  } finally {
    call.close();
  }
}

function headOf(reply: PreviewReply | null): Extract<PreviewReply, { kind: 'head' }> {
  if (reply?.kind === 'head') return reply;
  throw problemOf(reply?.kind === 'problem' ? reply.why : 'nothing');
}

/** Passes a request on to the sandbox of a task, and the answer back. Neither carries a cookie or another credential. */
export async function servePreview(
  { addresses, channel, clock }: ContentPreviewsParts,
  { name, path }: { name: string; path: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { taskId, port } = addresses.read(name);
  const url = addresses.at(name);
  void reply.headers({ ...fixedHeaders(url), 'x-request-id': request.id });
  if (!path.startsWith('/')) return reply.code(308).header('location', `${url}/${path}`).send();
  // Its pages have no origin, so their own requests count as those of strangers.
  if (request.method === 'OPTIONS') return reply.code(204).headers(allowEverything).send();
  if (channel === null)
    throw new Fault('failed_precondition', 'This process cannot hear the workers: its ERRAND_SECRET differs.');
  // For a server of the task, which answers when it likes.
  reply.raw.awaitsOthers = true;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const call = new PreviewCall({ channel, clock, taskId, signal: gone.signal });
  // A body that nobody has begun to read ends no other way.
  gone.signal.addEventListener('abort', () => call.close(), { once: true });
  try {
    const body = Buffer.isBuffer(request.body) ? request.body.toString('base64') : null;
    const headers = passRequestHeaders(request.headers, sentContentType(request));
    const ask = { kind: 'ask', port, method: request.method, path, headers, body } as const;
    const head = headOf(await call.ask(ask, { kind: 'more', at: 0 }));
    const { location, ...kept } = head.headers;
    void reply.code(head.status).headers(kept);
    // From the root of the server on, and whole, so that no path can be taken for another host.
    if (location !== undefined) void reply.header('location', url + location);
    const isEmpty = request.method === 'HEAD' || head.status === 204 || head.status === 304;
    if (isEmpty) call.close();
    return await reply.send(isEmpty ? undefined : Readable.from(readBody(call), { objectMode: false }));
  } catch (error) {
    call.close();
    throw error;
  }
}
