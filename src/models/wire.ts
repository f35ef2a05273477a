import type { Exchange, OpenExchange } from './exchange.ts';

const bodilessStatuses = new Set([204, 205, 304]);

function openBody({ message, read }: Exchange): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const hear = (chunk: Buffer) => {
        if (isOpen) controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      };
      read(hear).then(
        () => isOpen && controller.close(),
        (error: unknown) => isOpen && controller.error(error),
      );
      message.pause();
    },
    pull() {
      message.resume();
    },
    cancel() {
      isOpen = false;
      message.destroy();
    },
  });
}

interface Packed {
  body: string | Buffer | undefined;
  headers: Record<string, string>;
}

/** The body as bytes: forms are written out here, with the boundary in their type. */
async function pack(init: RequestInit | undefined): Promise<Packed> {
  const headers = Object.fromEntries(new Headers(init?.headers));
  if (!(init?.body instanceof FormData)) return { body: typeof init?.body === 'string' ? init.body : undefined, headers };
  const form = new Response(init.body);
  const body = Buffer.from(await form.arrayBuffer());
  return {
    body,
    headers: { ...headers, 'content-type': form.headers.get('content-type') ?? '', 'content-length': String(body.length) },
  };
}

/** The `fetch` given to the packages of providers, over the same exchange as our own wire. */
export function createWire(open: OpenExchange): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const request = { method: init?.method ?? 'GET', signal: init?.signal ?? undefined, ...(await pack(init)) };
    const exchange = await open(url, request);
    const { status, headers } = exchange;
    const body = openBody(exchange);
    return new Response(bodilessStatuses.has(status) ? null : body, { status, headers });
  };
}
