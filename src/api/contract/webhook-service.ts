import type { PublicSigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { WebhookKey } from '../../store/webhooks/webhooks.ts';

/** What operations on webhooks need from the delivery code. */
export interface WebhookService {
  /**
   * Sends a signed test message, and if it is refused, another one in the shape of `task_created` with a URL below `baseUrl`. Null on
   * success, else what is wrong, as a clause that can follow `url: `.
   */
  probe(url: string, baseUrl: string): Promise<string | null>;
  /** The keys that are valid, newest first. */
  publicKeys(): Promise<readonly PublicSigningKey[]>;
  /** Creates new keys and returns the valid ones. */
  rotateKeys(): Promise<readonly PublicSigningKey[]>;
  /** Resends everything that a webhook has missed, in batches; returns the number. Repeating it is harmless. */
  resendMissed(key: WebhookKey): Promise<number>;
}
