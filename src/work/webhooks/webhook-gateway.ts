import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import { classifyAttempt } from '../../rules/webhooks/retry-schedule.ts';
import { pingEvent, probeEvent, type WebhookEvent } from '../../rules/webhooks/webhook-body.ts';
import { presentPublicKey, type PublicSigningKey } from '../../rules/webhooks/webhook-signature.ts';
import type { Database } from '../../store/db/database.ts';
import { resendMissed } from '../../store/webhooks/delivery-log.ts';
import type { WebhookKey } from '../../store/webhooks/webhooks.ts';
import type { SigningKeys } from '../instance/signing-key-service.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import { type SendResult, signAttempt, type WebhookMessage, type WebhookSender } from './webhook-sender.ts';

/** How long a receiver has for the test messages of a registration, or a sample event (docs/reference/choices.md#webhooks). */
const probeTimeoutMs = 10_000;

/** Deliveries resent in one transaction. */
const resendChunk = 256;

export interface WebhookGatewayParts {
  database: Database;
  sender: WebhookSender;
  keys: SigningKeys;
  secrets: WebhookSecrets;
  clock: Clock;
}

/** A webhook that is being registered. */
type ProbedWebhook = Pick<WebhookMessage, 'webhookId' | 'url' | 'sealedSecrets'>;

/** What is wrong with the answer to a test message, as a clause; null if nothing is. */
function explainProbe(result: SendResult | null): string | null {
  if (!result || result.status === null) return result?.error ?? 'the test message was not sent';
  if (classifyAttempt(result.status) === 'delivered') return null;
  return `the test message was answered with status ${result.status}; it must be answered with 2xx`;
}

/** The answer that nobody waited for. */
const abandoned = { status: null, error: 'the request was abandoned', durationMs: 0 };

/** What the API needs of webhooks: the port `WebhookService` of `api`. */
export function createWebhookGateway({ database, sender, keys, secrets, clock }: WebhookGatewayParts) {
  return {
    createSecret: (webhookId: string): string => secrets.create(webhookId),
    openSecret: (webhookId: string, sealed: string): string => secrets.open(webhookId, sealed),
    async probe(webhook: ProbedWebhook, baseUrl: string, signal: AbortSignal): Promise<string | null> {
      const id = newId(clock.now());
      const ping = await sender.send({ ...webhook, ...pingEvent(id) }, { totalMs: probeTimeoutMs, signal });
      const restMs = probeTimeoutMs - (ping?.durationMs ?? probeTimeoutMs);
      const isFinal = !ping || ping.status === null || classifyAttempt(ping.status) === 'delivered' || restMs <= 0;
      const second = { ...webhook, ...probeEvent(id, baseUrl) };
      return explainProbe(isFinal ? ping : await sender.send(second, { totalMs: restMs, signal }));
    },
    async sendOnce(receiver: ProbedWebhook, event: WebhookEvent, signal: AbortSignal) {
      return (await sender.send({ ...receiver, ...event }, { totalMs: probeTimeoutMs, signal })) ?? abandoned;
    },
    sign: (request: WebhookMessage) => signAttempt(request, { keys, secrets, clock }),
    async publicKeys(): Promise<readonly PublicSigningKey[]> {
      return (await keys.current()).map(presentPublicKey);
    },
    async rotateKeys(): Promise<readonly PublicSigningKey[]> {
      return (await keys.rotate()).map(presentPublicKey);
    },
    async resendMissed(key: WebhookKey): Promise<number> {
      let total = 0;
      for (;;) {
        const count = await database.run(resendMissed, { ...key, limit: resendChunk });
        total += count;
        if (count < resendChunk) return total;
      }
    },
  };
}
