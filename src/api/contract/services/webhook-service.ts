import type { WebhookEvent } from '../../../rules/webhooks/webhook-body.ts';
import type { PublicSigningKey } from '../../../rules/webhooks/webhook-signature.ts';
import type { WebhookKey } from '../../../store/webhooks/webhooks.ts';

/** A webhook whose URL is tried before it is stored. */
export interface ProbedWebhook {
  webhookId: string;
  url: string;
  sealedSecrets: readonly string[];
}

/** How a receiver answered. */
export interface ReceiverAnswer {
  /** Status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  durationMs: number;
}

/** What operations on webhooks need from the delivery code. */
export interface WebhookService {
  /**
   * Sends a signed test message, and if it is refused, a second one in the shape of `task_created` with a URL below `baseUrl`. Null on
   * success, otherwise the problem as a clause that can follow `url: `. Ends when the signal aborts.
   */
  probe(webhook: ProbedWebhook, baseUrl: string, signal: AbortSignal): Promise<string | null>;
  /** Sends a signed event once, without recording it. */
  sendOnce(receiver: ProbedWebhook, event: WebhookEvent, signal: AbortSignal): Promise<ReceiverAnswer>;
  /** The headers of one request to the URL, signed now. */
  sign(request: ProbedWebhook & Pick<WebhookEvent, 'eventId' | 'body'>): Promise<Record<string, string>>;
  /** A new secret for the deliveries of one webhook, encrypted. */
  createSecret(webhookId: string): string;
  /** The text of such a secret, for its owner. */
  openSecret(webhookId: string, sealed: string): string;
  /** The keys that are valid, newest first. */
  publicKeys(): Promise<readonly PublicSigningKey[]>;
  /** Creates new keys and returns the valid ones. */
  rotateKeys(): Promise<readonly PublicSigningKey[]>;
  /** Resends everything that a webhook has missed, in batches; returns the number. Repeating it is harmless. */
  resendMissed(key: WebhookKey): Promise<number>;
}
