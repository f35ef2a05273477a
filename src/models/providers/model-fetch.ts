import type { OpenReply, SendRequest } from './model-exchange.ts';

const bodilessStatuses = new Set([204, 205, 304]);

function readHeaders(reply: OpenReply): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

function openBody(reply: OpenReply): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      reply.read({
        onChunk(chunk) {
          if (isOpen) controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) reply.pause();
        },
        onEnd() {
          if (isOpen) controller.close();
          isOpen = false;
        },
        onError(error) {
          if (isOpen) controller.error(error);
          isOpen = false;
        },
      });
      reply.pause();
    },
    pull() {
      reply.resume();
    },
    cancel() {
      isOpen = false;
      reply.destroy();
    },
  });
}

function toResponse(reply: OpenReply): Response {
  const { status } = reply;
  const body = openBody(reply);
  return new Response(bodilessStatuses.has(status) ? null : body, { status, headers: readHeaders(reply) });
}

interface Packed {
  body: (string | Buffer)[];
  headers: Record<string, string>;
}

/** The body as bytes: forms are encoded here, with the boundary in their content type. */
async function pack(init: RequestInit | undefined): Promise<Packed> {
  const headers = Object.fromEntries(new Headers(init?.headers));
  if (!(init?.body instanceof FormData)) {
    return { body: typeof init?.body === 'string' || Buffer.isBuffer(init?.body) ? [init.body] : [], headers };
  }
  const form = new Response(init.body);
  const body = Buffer.from(await form.arrayBuffer());
  return {
    body: [body],
    headers: { ...headers, 'content-type': form.headers.get('content-type') ?? '', 'content-length': String(body.length) },
  };
}

/** A `fetch` for the provider packages, over what sends all requests to providers. */
export function createFetch(send: SendRequest): typeof fetch {
  return async (input, init) => {
    const { body, headers } = await pack(init);
    const url = new URL(input instanceof Request ? input.url : input);
    return toResponse(await send({ url, method: init?.method ?? 'GET', headers, body, signal: init?.signal }));
  };
}
