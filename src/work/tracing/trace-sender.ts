import type { Clock } from '@errand/base/clock.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import type { OutboundReply, SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { readRetryAfter } from '../../rules/http/retry-after.ts';

export interface TraceSenderParts {
  /** The base URL of an OTLP receiver, without a trailing slash. */
  endpoint: string;
  /** Sent with each request; may contain credentials. */
  headers: Readonly<Record<string, string>>;
  /** One that reaches private addresses: the endpoint is the operator's. */
  httpClient: SafeFetch;
  clock: Clock;
}

/** `problem` completes a sentence about the receiver. */
export type SendOutcome =
  | { outcome: 'accepted' }
  /** The receiver will never take these spans. */
  | { outcome: 'rejected'; problem: string }
  /** The receiver may take these spans later. */
  | { outcome: 'failed'; problem: string; retryAfterMs: number | null };

export interface TraceSender {
  /** Sends one request of the OpenTelemetry protocol. */
  send(request: object, signal: AbortSignal): Promise<SendOutcome>;
}

const limits = { totalMs: 10_000, connectMs: 5000, maxBytes: 65_536 };
/** Statuses that mean the request itself. All others may be a setting, a proxy, or an outage: the spans are kept. */
const final = new Set([400, 413, 415, 422]);

/** How many spans the receiver says it has rejected. */
function countRejected(body: Buffer): number {
  try {
    const answer = JSON.parse(body.toString()) as { partialSuccess?: { rejectedSpans?: unknown } } | null;
    return Number(answer?.partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}

function classify({ status, headers, body }: OutboundReply, nowMs: number): SendOutcome {
  if (status >= 200 && status < 300) {
    const rejected = countRejected(body);
    return rejected === 0 ? { outcome: 'accepted' } : { outcome: 'rejected', problem: `it rejected ${rejected} spans` };
  }
  const problem = `it answered with status ${status}`;
  if (final.has(status)) return { outcome: 'rejected', problem };
  return { outcome: 'failed', problem, retryAfterMs: readRetryAfter({ 'retry-after': headers['retry-after'] ?? '' }, nowMs) };
}

/** Sends traces by OTLP over HTTP, in JSON. */
export function createTraceSender({ endpoint, headers, httpClient, clock }: TraceSenderParts): TraceSender {
  return {
    async send(request, signal) {
      try {
        const reply = await httpClient.request({
          url: `${endpoint}/v1/traces`,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(request),
          allowHttp: true,
          ...limits,
          signal,
        });
        return classify(reply, clock.now());
      } catch (error) {
        if (!(error instanceof OutboundFault)) throw error;
        return { outcome: 'failed', problem: error.message, retryAfterMs: null };
      }
    },
  };
}
