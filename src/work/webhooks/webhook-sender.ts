import type { Clock } from '@errand/base/clock.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { readRetryAfter } from '../../rules/http/retry-after.ts';
import type { WebhookEvent } from '../../rules/webhooks/webhook-body.ts';
import { rootSpan, type TracedTask, traceparentOf } from '../../rules/tracing/trace-ids.ts';
import { signMessage } from '../../rules/webhooks/webhook-signature.ts';
import type { SigningKeys } from '../instance/signing-key-service.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

const connectMs = 5000;
/** Bytes of the response kept for the log. No more is read: the status decides. */
const excerptBytes = 1024;

export interface WebhookMessage extends Pick<WebhookEvent, 'eventId' | 'body'> {
  webhookId: string;
  url: string;
  /** The valid secrets of the webhook, newest first. */
  sealedSecrets: readonly string[];
  /** The task that the delivery is about, whose trace the receiver may continue. */
  task?: TracedTask;
}

export interface SendOptions {
  /** Time limit of the whole attempt, including the response body. */
  totalMs: number;
  signal?: AbortSignal;
}

export interface SendResult {
  /** Status of the response; null if there was none. */
  status: number | null;
  retryAfterMs: number | null;
  /** Why there was no response, as a clause that can follow a field name. */
  error: string | null;
  durationMs: number;
  excerpt: string;
}

export interface WebhookSender {
  /** One signed attempt. Null if `signal` aborted it. */
  send(message: WebhookMessage, options: SendOptions): Promise<SendResult | null>;
}

export interface WebhookSenderParts {
  httpClient: SafeFetch;
  keys: Pick<SigningKeys, 'current'>;
  secrets: Pick<WebhookSecrets, 'open'>;
  clock: Clock;
  allowHttp: boolean;
  /** Whether tasks are exported as traces. */
  isTraced?: boolean;
}

/** Text for people: omits what cannot be shown, and a truncated last character. */
function excerptOf(body: Buffer): string {
  return body
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Cs}\ufffd]+/gu, ' ')
    .trim();
}

/** The place of an attempt in the trace of its task. */
function traceHeaders({ task }: WebhookMessage, isTraced: boolean): Record<string, string> {
  const traceparent = task === undefined ? null : traceparentOf(task, rootSpan, isTraced);
  return traceparent === null ? {} : { traceparent };
}

/** The headers of one attempt, signed now. */
export async function signAttempt(
  { webhookId, url, eventId, body, sealedSecrets }: WebhookMessage,
  { keys, secrets, clock }: Pick<WebhookSenderParts, 'keys' | 'secrets' | 'clock'>,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(clock.now() / 1000);
  const opened = sealedSecrets.map((sealed) => secrets.open(webhookId, sealed));
  const signature = await signMessage({ eventId, url, body, timestamp }, await keys.current(), opened);
  return { 'content-type': 'application/json', 'user-agent': 'Errand-Webhooks', ...signature };
}

export function createWebhookSender({
  httpClient,
  keys,
  secrets,
  clock,
  allowHttp,
  isTraced = false,
}: WebhookSenderParts): WebhookSender {
  return {
    async send(message, { totalMs, signal }) {
      const { url, body } = message;
      const headers = { ...traceHeaders(message, isTraced), ...(await signAttempt(message, { keys, secrets, clock })) };
      const sentAt = clock.monotonic();
      const takenMs = () => Math.round(clock.monotonic() - sentAt);
      try {
        const reply = await httpClient.request({
          url,
          method: 'POST',
          headers,
          body,
          allowHttp,
          totalMs,
          connectMs,
          maxBytes: excerptBytes,
          ...(signal && { signal }),
        });
        const retryAfterMs = readRetryAfter({ 'retry-after': reply.headers['retry-after'] ?? '' }, clock.now());
        return { status: reply.status, retryAfterMs, error: null, durationMs: takenMs(), excerpt: excerptOf(reply.body) };
      } catch (error) {
        if (!(error instanceof OutboundFault)) throw error;
        if (error.kind === 'aborted') return null;
        return { status: null, retryAfterMs: null, error: error.message, durationMs: takenMs(), excerpt: '' };
      }
    },
  };
}
