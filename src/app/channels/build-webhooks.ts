import type { Clock } from '@errand/base/clock.ts';
import { newId } from '@errand/base/ids.ts';
import type { Log } from '@errand/base/log.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { Service } from '@errand/base/service-lifecycle.ts';
import type { WebhookService } from '../../api/contract/services/webhook-service.ts';
import type { Database } from '../../store/db/database.ts';
import { DeliveryWorker } from '../../work/webhooks/delivery-worker.ts';
import { SigningKeys } from '../../work/instance/signing-key-service.ts';
import { WebhookSecrets } from '../../work/webhooks/webhook-secrets.ts';
import { createWebhookGateway } from '../../work/webhooks/webhook-gateway.ts';
import { createWebhookSender } from '../../work/webhooks/webhook-sender.ts';

export interface WebhooksParts {
  database: Database;
  /** Null where the secret of the other processes is missing. */
  box: SealedBox | null;
  httpClient: SafeFetch;
  acceptsHttp: boolean;
  clock: Clock;
  log: Log;
  chance: () => number;
  drainMs: number;
  /** Whether tasks are exported as traces. */
  isTraced?: boolean;
}

export interface Webhooks {
  service: WebhookService;
  /** None in a process that cannot sign, which leaves deliveries to those that can. */
  workers: Service[];
}

/** Builds everything that signs and sends webhooks. */
export function buildWebhooks(parts: WebhooksParts): Webhooks {
  const { database, box, httpClient, acceptsHttp, clock, log, chance, drainMs, isTraced = false } = parts;
  const keys = new SigningKeys({ database, clock, box });
  const secrets = new WebhookSecrets(box);
  const sender = createWebhookSender({ httpClient, keys, secrets, clock, allowHttp: acceptsHttp, isTraced });
  if (!box) log.error('this process cannot sign webhooks: set ERRAND_SECRET to the same text for all processes');
  const worker = new DeliveryWorker({ database, sender, keys, clock, log, workerId: newId(clock.now()), chance, drainMs });
  return { service: createWebhookGateway({ database, sender, keys, secrets, clock }), workers: box ? [worker] : [] };
}
