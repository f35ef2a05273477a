import { describe, expect, it, vi } from 'vitest';
import { ScriptedSender } from '../../../test/support/webhooks/delivery-samples.ts';
import { MemoryDatabase } from '../../../test/support/db/memory-database.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { TestClock } from '../../../test/support/base/test-clock.ts';
import { addWebhook, createReported, listAll } from '../../../test/support/webhooks/webhook-samples.ts';
import { SigningKeys } from '../instance/signing-key-service.ts';
import { WebhookSecrets } from './webhook-secrets.ts';
import type { WebhookSender } from './webhook-sender.ts';
import { createWebhookGateway } from './webhook-gateway.ts';

describe('the webhook gateway', () => {
  it('resends all missed events of a webhook, in transactions of limited size', async () => {
    const clock = new TestClock();
    const database = new MemoryDatabase(clock);
    const keys = new SigningKeys({ database, clock, box: null });
    const service = createWebhookGateway({
      database,
      sender: new ScriptedSender(clock),
      keys,
      secrets: new WebhookSecrets(null),
      clock,
    });
    const accountId = newAccountId();
    const { id: webhookId } = await addWebhook(database, accountId);
    await createReported(database, accountId, 600);
    database.query("UPDATE deliveries SET status = 'failed', ready_at = NULL RETURNING id");
    const before = vi.fn<(call: { operation: string }) => void>();
    database.interference = { before };
    expect(await service.resendMissed({ accountId, webhookId })).toBe(600);
    expect(before).toHaveBeenCalledTimes(3);
    expect((await listAll(database, accountId)).every(({ status }) => status === 'pending')).toBe(true);
    expect(await service.resendMissed({ accountId, webhookId })).toBe(0);
  });

  it('gives a URL ten seconds for both test messages together', async () => {
    const clock = new TestClock();
    const database = new MemoryDatabase(clock);
    const keys = new SigningKeys({ database, clock, box: null });
    const limits: number[] = [];
    const sender: WebhookSender = {
      send(_message, { totalMs }) {
        limits.push(totalMs);
        return Promise.resolve({ status: 422, retryAfterMs: null, error: null, durationMs: 7000, excerpt: '' });
      },
    };
    const service = createWebhookGateway({ database, sender, keys, secrets: new WebhookSecrets(null), clock });
    const probed = { webhookId: 'w', url: 'https://hook.example/', sealedSecrets: [] };
    expect(await service.probe(probed, 'https://errand.example', new AbortController().signal)).toContain('status 422');
    expect(limits).toEqual([10_000, 3000]);
  });
});
