import type { OutboundRequest, ReplyHead, SafeFetch } from '@errand/base/net/safe-fetch.ts';

const bodiless = new Set([204, 205, 304]);

/** A response in the form of the Fetch API. */
export function composeResponse(
  { status, headers }: Pick<ReplyHead, 'status' | 'headers'>,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  const answer = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) answer.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Response(bodiless.has(status) ? null : body, { status, headers: answer });
}

function isEventStream({ headers }: ReplyHead): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'text/event-stream';
}

/** Passes chunks on until the reader has them all, or the request is aborted, so that no reader can keep it open. */
async function pipe(body: AsyncIterable<Buffer>, writable: WritableStream<Uint8Array>, signal?: AbortSignal): Promise<void> {
  const writer = writable.getWriter();
  const end = (reason: unknown) => void writer.abort(reason).catch(() => undefined);
  const stop = () => end(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of body) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    end(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * The response to a request: event streams as they arrive, anything else read completely.
 * @param noteBreak called with the reason if a stream breaks
 */
export function openReply(
  httpClient: SafeFetch,
  request: OutboundRequest,
  noteBreak: (reason: unknown) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const receive = async (body: AsyncIterable<Buffer>, head: ReplyHead) => {
      if (!isEventStream(head)) {
        const chunks: Buffer[] = [];
        for await (const chunk of body) chunks.push(chunk);
        resolve(composeResponse(head, Buffer.concat(chunks)));
        return;
      }
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      resolve(composeResponse(head, readable));
      await pipe(body, writable, request.signal).catch(noteBreak);
    };
    httpClient.request({ ...request, receive }).catch(reject);
  });
}
