import type { PublicSigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { WebhookKey } from '../../store/webhooks/webhooks.ts';

/** What operations on webhooks need from the part of the service that sends them. */
export interface WebhookService {
  /** Sends a signed test message; null when it was taken well, else what is wrong, as a clause that can follow `url: `. */
  probe(url: string): Promise<string | null>;
  /** The keys that are valid, newest first. */
  publicKeys(): Promise<readonly PublicSigningKey[]>;
  /** Makes new keys and answers with those that are valid now. */
  rotateKeys(): Promise<readonly PublicSigningKey[]>;
  /** Sends again all that a webhook has missed, a few at a time; how many that were. Repeating it does no harm. */
  resendMissed(key: WebhookKey): Promise<number>;
}
