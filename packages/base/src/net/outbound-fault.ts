/**
 * - `blocked`: the rules of this service forbid the request; nothing was sent.
 * - `dns`, `connect`, `tls`: the server could not be found, reached or believed; nothing was sent.
 * - `timeout`, `aborted`: the time was over, or the caller lost interest.
 * - `too_large`: the head of the answer, or what frames its body, exceeds its limit. A body that does is cut instead.
 * - `protocol`: the server does not speak HTTP properly, or broke off.
 */
export type OutboundFaultKind = 'blocked' | 'dns' | 'connect' | 'tls' | 'timeout' | 'too_large' | 'protocol' | 'aborted';

/** Why an outbound request has no answer. `message` is public: a clause that can follow the name of a field. */
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

/** What operators see of an error of the runtime. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
