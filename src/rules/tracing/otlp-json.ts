import { version } from '@errand/base/program-version.ts';
import { conventionsVersion } from './span-attributes.ts';
import type { Attributes, AttributeValue, Span } from './span.ts';

/** The exporting service: attributes of the resource, including `service.name`. */
export type Resource = Readonly<Record<string, string>>;

const kinds = { internal: 1, client: 3 } as const;
/** The code of a span's status that is an error. */
const errorStatus = 2;

function encodeValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // 64-bit integers are text in JSON.
  if (typeof value === 'number') return { intValue: String(Math.trunc(value)) };
  return { arrayValue: { values: value.map(encodeValue) } };
}

function encodeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }));
}

/** Nanoseconds. */
function encodeTime(atMs: number): string {
  return String(BigInt(Math.trunc(atMs)) * 1_000_000n);
}

/** A span as the protocol has it. */
export function encodeSpan(span: Span): Record<string, unknown> {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== null && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: encodeTime(span.startMs),
    endTimeUnixNano: encodeTime(span.endMs),
    attributes: encodeAttributes(span.attributes),
    events: span.events.map(({ name, atMs, attributes }) => ({
      timeUnixNano: encodeTime(atMs),
      name,
      attributes: encodeAttributes(attributes),
    })),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: span.error === null ? {} : { code: errorStatus, message: span.error },
  };
}

/** A request of the OpenTelemetry protocol with encoded spans. */
export function wrapSpans(spans: readonly object[], resource: Resource): object {
  const scope = { name: 'errand', version };
  const schemaUrl = `https://opentelemetry.io/schemas/${conventionsVersion}`;
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes({ ...resource, 'service.version': version }) },
        scopeSpans: [{ scope, spans, schemaUrl }],
        schemaUrl,
      },
    ],
  };
}

/** Spans as a request of the OpenTelemetry protocol, in JSON. */
export function encodeSpans(spans: readonly Span[], resource: Resource): object {
  return wrapSpans(spans.map(encodeSpan), resource);
}
