import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import { newAccountId } from '../../../test/support/db/store-samples.ts';
import { addWebhook } from '../../../test/support/webhooks/webhook-samples.ts';
import { createAccount } from '../accounts/accounts.ts';
import { deleteWebhook, enableWebhook, listSignedWebhooks, listWebhooks, maxWebhooks, rotateWebhookSecret } from './webhooks.ts';

describeStores('webhooks', (store) => {
  it('are stored as registered, oldest first', async () => {
    const accountId = newAccountId();
    const url = 'HTTPS://Hooks.example.com:443/a?b=%7e';
    const first = await addWebhook(store.database, accountId, { url });
    const second = await addWebhook(store.database, accountId, { apiVersion: 'v1' });
    expect(await store.database.run(listWebhooks, accountId)).toMatchObject([{ id: first.id, url }, { id: second.id }]);
    expect(first).toMatchObject({ url, status: 'active', apiVersion: 'v2', failingSinceMs: null });
    expect(await store.database.run(listWebhooks, newAccountId())).toEqual([]);
  });

  it('are at most twenty per account, also when registered concurrently in several processes', async () => {
    const accountId = newAccountId();
    const account = { accountId, email: `${accountId}@example.com`, plan: 'free', locale: 'en', createdAtMs: 1 } as const;
    await store.database.run(createAccount, account);
    const tries = Array.from({ length: maxWebhooks + 5 }, (_, index) =>
      addWebhook(store.others[index % 2] ?? store.database, accountId),
    );
    const refused = (await Promise.allSettled(tries)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 'resource_exhausted' });
  });

  it('get another secret for their owner only', async () => {
    const accountId = newAccountId();
    const { id } = await addWebhook(store.database, accountId);
    const stranger = { accountId: newAccountId(), webhookId: id, sealedSecret: 'sealed' };
    await expect(store.database.run(rotateWebhookSecret, stranger)).rejects.toMatchObject({ code: 'not_found' });
    const rotated = await store.database.run(rotateWebhookSecret, { ...stranger, accountId });
    expect(rotated).toMatchObject({ id, sealedSecret: 'sealed' });
    await store.database.run(rotateWebhookSecret, { ...stranger, accountId, sealedSecret: 'newer' });
    expect(await store.database.run(listSignedWebhooks, accountId)).toMatchObject([{ id, sealedSecrets: ['newer', 'sealed'] }]);
    expect(await store.database.run(listSignedWebhooks, stranger.accountId)).toEqual([]);
  });

  it('can be deleted and enabled by their owner only', async () => {
    const accountId = newAccountId();
    const { id } = await addWebhook(store.database, accountId);
    const stranger = { accountId: newAccountId(), webhookId: id };
    await expect(store.database.run(deleteWebhook, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.database.run(enableWebhook, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await store.database.run(deleteWebhook, { accountId, webhookId: id });
    await expect(store.database.run(deleteWebhook, { accountId, webhookId: id })).rejects.toMatchObject({ code: 'not_found' });
  });
});
