/** The place of a span in a trace, as W3C Trace Context writes it in `traceparent`. */
export interface SpanContext {
  /** 32 lower-case hexadecimal digits, not all 0. */
  traceId: string;
  /** 16 lower-case hexadecimal digits, not all 0. */
  spanId: string;
  isSampled: boolean;
}

/** Later versions may append fields, each after a hyphen. */
const pattern = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;
const longestHeader = 256;

const isZero = (digits: string) => /^0+$/.test(digits);

/** Reads a `traceparent` header; null for an invalid one, which counts as none. */
export function parseTraceparent(header: string): SpanContext | null {
  const match = header.length <= longestHeader ? pattern.exec(header) : null;
  if (!match) return null;
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match;
  if ((version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header for a span, in version 00. */
export function formatTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** A header as it is stored and passed on: in version 00, without what may follow in others. Null for an invalid one or none. */
export function cleanTraceparent(header: unknown): string | null {
  const context = typeof header === 'string' ? parseTraceparent(header) : null;
  return context && formatTraceparent(context);
}
