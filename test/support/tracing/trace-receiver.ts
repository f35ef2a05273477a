import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const value = z.strictObject({
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  // 64-bit integers are text in the JSON of the protocol.
  intValue: z
    .string()
    .regex(/^-?\d+$/)
    .optional(),
  arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }).optional(),
});
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const traceId = z.string().regex(/^(?!0+$)[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/);
const nanoseconds = z.string().regex(/^\d{19}$/);

const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.optional(),
  name: z.string().min(1),
  kind: z.union([z.literal(1), z.literal(3)]),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: nanoseconds, name: z.string(), attributes })),
  links: z.array(z.strictObject({ traceId, spanId })),
  status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
});

/** The request of the OpenTelemetry protocol, as far as this service uses it; anything else is a mistake. */
const traceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
          schemaUrl: z.url(),
        }),
      ),
      schemaUrl: z.url(),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof span>;

/** The spans of a request; throws where it is not one of the protocol. */
export function readTraceRequest(body: unknown): ReceivedSpan[] {
  return traceRequest.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** The attributes of a span or a resource as an object. */
export function readAttributes({ attributes: list }: { attributes: z.infer<typeof attributes> }): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value: one }) => [key, Object.values(one)[0]]));
}

/** How it answers: with a status, or in a way of its own. */
export type Behaviour = number | ((response: ServerResponse) => void);

/** A receiver of traces by OTLP over HTTP. */
export class TraceReceiver {
  /** Answers every request from now on. */
  behaviour: Behaviour = 200;
  readonly requests: { path: string; headers: IncomingHttpHeaders; body: string; isAccepted: boolean }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { behaviour } = this;
        const body = Buffer.concat(chunks).toString();
        this.requests.push({ path: request.url ?? '', headers: request.headers, body, isAccepted: behaviour === 200 });
        if (typeof behaviour === 'function') behaviour(response);
        else response.writeHead(behaviour, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<TraceReceiver> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new TraceReceiver(server);
  }

  /** URL for OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What was accepted, in order; throws for a request that is not one of the protocol. */
  get spans(): ReceivedSpan[] {
    return this.requests.filter(({ isAccepted }) => isAccepted).flatMap(({ body }) => readTraceRequest(JSON.parse(body)));
  }

  /** The spans of a task. */
  spansOf(taskId: string): ReceivedSpan[] {
    return this.spans.filter((one) => readAttributes(one)['gen_ai.conversation.id'] === taskId);
  }

  /** The spans of a task that are turns. */
  turnsOf(taskId: string): ReceivedSpan[] {
    return this.spansOf(taskId).filter(({ name }) => name.startsWith('invoke_agent'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
