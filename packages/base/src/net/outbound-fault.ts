/**
 * - `blocked`: the rules of this service forbid the request; nothing was sent.
 * - `dns`, `connect`, `tls`: the server could not be found, reached or authenticated; nothing was sent.
 * - `timeout`, `aborted`: the time was up, or the caller aborted.
 * - `too_large`: response headers or framing exceed the limit. A body that does is truncated instead.
 * - `protocol`: the server violates HTTP, or closed the connection early.
 */
export type OutboundFaultKind = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'too_large' | 'protocol' | 'aborted';

/** Why an outbound request has no response. `message` is public: a clause that can follow a field name. */
export class OutboundFault extends Error {
  readonly kind: OutboundFaultKind;
  /** What operators see in the log (addresses, error codes); never leaves the service. */
  readonly detail: string | undefined;

  constructor(kind: OutboundFaultKind, message: string, options: { detail?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutboundFault';
    this.kind = kind;
    this.detail = options.detail;
  }
}

/** The log entry for a runtime error. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
