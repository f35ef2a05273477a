export type AttributeValue = string | number | boolean | readonly string[];
/** Numbers are integers. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Something that happened within a span. */
export interface SpanEvent {
  name: string;
  atMs: number;
  attributes: Attributes;
}

/** A span in another trace. */
export interface SpanLink {
  traceId: string;
  spanId: string;
}

/** A part of what a task did, from begin to end; times in milliseconds since the epoch. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  /** `client` for a request to another system. */
  kind: 'internal' | 'client';
  startMs: number;
  endMs: number;
  attributes: Attributes;
  events: readonly SpanEvent[];
  links: readonly SpanLink[];
  /** The kind of error it ended with; null if it succeeded. */
  error: string | null;
}

/** A span that has not ended. */
export interface OpenSpan {
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: Span['kind'];
  startMs: number;
  attributes: Record<string, AttributeValue>;
  events: SpanEvent[];
  links: SpanLink[];
}

/** A span that begins, with nothing known of it but this. */
export function openSpan(span: Omit<OpenSpan, 'events' | 'links'> & { links?: SpanLink[] }): OpenSpan {
  return { links: [], ...span, events: [] };
}

/** The span that an open one becomes at its end. */
export function closeSpan(traceId: string, open: OpenSpan, endMs: number, error: string | null): Span {
  const attributes = error === null ? open.attributes : { ...open.attributes, 'error.type': error };
  return { ...open, traceId, endMs: Math.max(open.startMs, endMs), attributes, error };
}
