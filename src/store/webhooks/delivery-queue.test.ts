import { expect, it } from 'vitest';
import { describeStores } from '../../../test/support/db/databases.ts';
import {
  append,
  claim,
  modelFinished,
  newAccountId,
  nextMs,
  sampleTask,
  stopped,
} from '../../../test/support/db/store-samples.ts';
import {
  addWebhook,
  claimSome,
  createReported,
  listAll,
  readBodies,
  record,
} from '../../../test/support/webhooks/webhook-samples.ts';
import { newId } from '@errand/base/ids.ts';
import { createContentAddresses } from '../../rules/files/content-url.ts';
import type { Attachment, TaskEvent } from '../../rules/events/task-event.ts';
import { createAccount } from '../accounts/accounts.ts';
import { listDeliveries } from './delivery-log.ts';
import { noteAddresses } from '../instance/instance-values.ts';
import { appendEvents } from '../tasks/task-leases.ts';
import { createApp, deleteApp } from '../oauth/oauth-apps.ts';
import { createTask, deleteTask, messageTask, stopTask } from '../tasks/tasks.ts';

const answer: TaskEvent = { type: 'assistant_message', text: 'Done.' };

describeStores('what is queued for webhooks', (store) => {
  /** A running, reported task, without the deliveries queued at its creation. */
  const createLeased = async (accountId: string) => {
    const [taskId = ''] = await createReported(store.database, accountId);
    await store.query('DELETE FROM deliveries');
    const lease = (await claim(store.database)).find((task) => task.taskId === taskId);
    if (!lease) throw new Error('the task was not due');
    return lease;
  };
  const finishWith = async (accountId: string, ...appends: TaskEvent[][]) => {
    const lease = await createLeased(accountId);
    for (const events of appends) await append(lease, events, store.database);
    return lease.taskId;
  };

  it('reports a task created by a program, once to each webhook of its account, with the URL of the service', async () => {
    const accountId = newAccountId();
    await store.database.run(noteAddresses, { baseUrl: 'https://old.example.com', contentUrl: 'https://old' });
    await store.database.run(noteAddresses, { baseUrl: 'https://errand.example.com', contentUrl: 'https://new' });
    const webhooks = [await addWebhook(store.database, accountId), await addWebhook(store.database, accountId)];
    await addWebhook(store.database, newAccountId());
    const created = await store.database.run(createTask, sampleTask(accountId, { apiKeyId: 'k1', title: 'Report' }));
    expect(created.isReported).toBe(true);
    const deliveries = await listAll(store.database, accountId);
    expect(deliveries.map(({ webhookId }) => webhookId).toSorted()).toEqual(webhooks.map(({ id }) => id).toSorted());
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(2);
    expect(deliveries).toMatchObject([{ status: 'pending', attempts: 0 }, { eventType: 'task_created' }]);
    const url = `https://errand.example.com/app/${created.id}`;
    const detail = { task_id: created.id, task_title: 'Report', task_url: url };
    expect(await readBodies(store.database, accountId)).toContainEqual({
      event_id: `task_created_${created.id}`,
      event_type: 'task_created',
      task_detail: detail,
    });
    expect(await store.query('SELECT id FROM deliveries')).toHaveLength(2);
  });

  it('has nothing without webhooks, and nothing of a task that a person created', async () => {
    const [silent, reported] = [newAccountId(), newAccountId()];
    expect((await store.database.run(createTask, sampleTask(silent, { apiKeyId: 'k1' }))).isReported).toBe(false);
    await addWebhook(store.database, reported);
    expect((await store.database.run(createTask, sampleTask(reported))).isReported).toBe(false);
    expect(await store.query('SELECT id FROM deliveries')).toEqual([]);
  });

  it('reports the end of any task, with its final message and current title', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    const taskId = await finishWith(accountId, [modelFinished(), answer, stopped]);
    expect(await readBodies(store.database, accountId)).toMatchObject([
      {
        event_id: `task_stopped_${taskId}_5`,
        event_type: 'task_stopped',
        task_detail: { task_title: 'A title', message: 'Done.', stop_reason: 'finish', stopped_by: 'agent', attachments: [] },
      },
    ]);
  });

  it('includes the files of the final message, wherever that was logged, with signed URLs', async () => {
    const attachments: Attachment[] = [
      { kind: 'file', blobId: newId(1), filename: 'a b.md', contentType: 'text/markdown', bytes: 5 },
    ];
    const said: TaskEvent = { type: 'assistant_message', text: 'Done.', attachments };
    const key = Buffer.from('a key of tests');
    for (const batches of [[[modelFinished(), said, stopped]], [[modelFinished(), said], [stopped]]]) {
      const accountId = newAccountId();
      await addWebhook(store.database, accountId);
      await store.database.run(noteAddresses, { baseUrl: 'https://errand.example', contentUrl: 'https://files.example' });
      const task = await createLeased(accountId);
      for (const events of batches) {
        const args = { ...task, events, now: Date.now(), expectSeq: null, contentKey: key.toString('base64') };
        await store.database.run(appendEvents, args);
      }
      const [body] = (await readBodies(store.database, accountId)) as { task_detail: { attachments: { url: string }[] } }[];
      const [file] = body?.task_detail.attachments ?? [];
      expect(file).toMatchObject({ file_name: 'a b.md', size_bytes: 5 });
      const url = new URL(file?.url ?? '');
      // Longer than the longest schedule, in which a receiver requests twice the delay before each attempt.
      const muchLater = Date.now() + 2 * (75 * 60 + 35) * 60_000;
      const addresses = createContentAddresses({ key: () => key, now: () => muchLater, baseUrl: () => '' });
      expect(url.origin).toBe('https://files.example');
      expect(addresses.readFile('a b.md', url.searchParams.get('token') ?? '')).toMatchObject({ accountId, bytes: 5 });
    }
  });

  it('finds the final message even if it was logged before the end, and includes the structured result', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    const result = { success: true, value: { price: 3 }, error: null };
    await finishWith(
      accountId,
      [{ type: 'assistant_message', text: 'Earlier.' }],
      [modelFinished(), answer],
      [stopped, { type: 'extract_delivered', ...result }],
    );
    expect(await readBodies(store.database, accountId)).toMatchObject([
      { task_detail: { message: 'Done.', structured_output: result } },
    ]);
  });

  it('reports a question, an error, and a stop by the user, once each', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    await finishWith(accountId, [{ type: 'waiting', callId: 'c1', question: 'Which one?' }]);
    expect(await readBodies(store.database, accountId)).toMatchObject([
      { task_detail: { stop_reason: 'ask', message: 'Which one?' } },
    ]);
    await finishWith(accountId, [{ type: 'error', errorType: 'model_refused', text: 'No.' }, { type: 'failed' }]);
    expect(await readBodies(store.database, accountId)).toMatchObject([
      { task_detail: { stop_reason: 'finish', stopped_by: 'error', message: 'No.' } },
    ]);
    const { taskId } = await createLeased(accountId);
    for (const isReported of [true, false]) {
      expect(await store.database.run(stopTask, { accountId, taskId, now: nextMs() })).toMatchObject({ isReported });
    }
    expect(await readBodies(store.database, accountId)).toMatchObject([
      { event_id: `task_stopped_${taskId}_4`, task_detail: { stop_reason: 'finish', stopped_by: 'user' } },
    ]);
  });

  it('has a unique id for each end of one task', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    const { taskId } = await createLeased(accountId);
    const message = { type: 'user_message', text: 'Go on', kind: 'text' } as const;
    await store.database.run(stopTask, { accountId, taskId, now: nextMs() });
    await store.database.run(messageTask, { accountId, taskId, now: nextMs(), message, profile: null });
    await store.database.run(stopTask, { accountId, taskId, now: nextMs() });
    const ids = (await listAll(store.database, accountId)).map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(2);
  });

  it('reports progress to webhooks of v1 only', async () => {
    const accountId = newAccountId();
    const legacy = await addWebhook(store.database, accountId, { apiVersion: 'v1' });
    await addWebhook(store.database, accountId);
    const steps = [{ title: 'Read', status: 'doing' as const, startedAt: 1, endedAt: null }];
    const taskId = await finishWith(accountId, [{ type: 'plan_updated', steps }]);
    expect(await listAll(store.database, accountId)).toMatchObject([{ webhookId: legacy.id, eventType: 'task_progress' }]);
    expect(await readBodies(store.database, accountId)).toMatchObject([
      { progress_detail: { task_id: taskId, progress_type: 'plan_update', message: 'Read' } },
    ]);
  });

  it('of an application goes to its owner, for the tasks it creates in any account and for no others', async () => {
    const [owner, user] = [newAccountId(), newAccountId()];
    const app = { accountId: owner, clientId: 'app-1', name: 'App', homepage: null, kind: 'team' as const, isPublic: false };
    for (const accountId of [owner, user])
      await store.database.run(createAccount, { accountId, email: accountId, plan: 'pro', locale: 'en', createdAtMs: 1 });
    const foreign = addWebhook(store.database, user, { oauthClientId: 'app-1' });
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    await store.database.run(createApp, {
      app: { ...app, redirectUris: [], scopes: [], applicationType: null, createdAtMs: 1 },
      secret: null,
      actor: 'test',
    });
    await expect(addWebhook(store.database, user, { oauthClientId: 'app-1' })).rejects.toMatchObject({ code: 'not_found' });
    const webhook = await addWebhook(store.database, owner, { oauthClientId: 'app-1' });
    const ownWebhook = await addWebhook(store.database, user);
    const create = async (changes: Parameters<typeof sampleTask>[1]) => {
      const sample = sampleTask(user, changes);
      await store.database.run(createTask, sample);
      return sample.taskId;
    };
    const taskId = await create({ oauthClientId: 'app-1' });
    await create({ oauthClientId: 'app-2' });
    await create({ apiKeyId: 'k1' });
    await store.database.run(createTask, sampleTask(owner, { apiKeyId: 'k1' }));
    expect(await listAll(store.database, owner)).toMatchObject([{ webhookId: webhook.id, taskId, eventType: 'task_created' }]);
    expect((await listAll(store.database, user)).map(({ webhookId }) => webhookId)).toEqual(Array(3).fill(ownWebhook.id));
    // Past deliveries stay as long as the task, even in another account, and are deleted with it.
    const { deliveries } = await claimSome(store.database);
    await record(store.database, deliveries);
    expect(await listAll(store.database, owner)).toMatchObject([{ status: 'delivered' }]);
    await store.database.run(stopTask, { accountId: user, taskId, now: nextMs() });
    await store.database.run(deleteTask, { accountId: user, taskId });
    expect(await listAll(store.database, owner)).toMatchObject([{ status: 'pending', eventType: 'task_stopped' }]);
    await record(store.database, (await claimSome(store.database)).deliveries);
    expect(await listAll(store.database, owner)).toEqual([]);
    await store.database.run(deleteApp, { accountId: owner, clientId: 'app-1', actor: 'test', now: nextMs() });
    expect(await store.query('SELECT id FROM webhooks WHERE account_id = ?', owner)).toEqual([]);
  });

  it('is skipped for an inactive webhook', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    await store.query("UPDATE webhooks SET status = 'inactive'");
    expect((await store.database.run(createTask, sampleTask(accountId, { apiKeyId: 'k1' }))).isReported).toBe(false);
    expect(await listAll(store.database, accountId)).toMatchObject([{ status: 'skipped', nextAttemptAtMs: null }]);
  });

  it('contains nothing about an event that was not stored', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    const lease = await createLeased(accountId);
    await store.database.run(stopTask, { accountId, taskId: lease.taskId, now: nextMs() });
    expect(await append(lease, [answer, stopped], store.database)).toEqual({ outcome: 'lost' });
    expect(await listAll(store.database, accountId)).toHaveLength(1);
  });

  it('continues for a deleted task, while past deliveries are deleted', async () => {
    const accountId = newAccountId();
    await addWebhook(store.database, accountId);
    const [taskId = ''] = await createReported(store.database, accountId);
    await store.query("UPDATE deliveries SET status = 'delivered', ready_at = NULL, ended_at = 1");
    await store.database.run(stopTask, { accountId, taskId, now: nextMs() });
    await store.database.run(deleteTask, { accountId, taskId });
    expect(await listAll(store.database, accountId)).toMatchObject([{ eventType: 'task_stopped', status: 'pending' }]);
  });

  it('is listed for its account, newest first, page by page', async () => {
    const accountId = newAccountId();
    const [first, second] = [await addWebhook(store.database, accountId), await addWebhook(store.database, accountId)];
    await createReported(store.database, accountId, 5);
    const all = await listAll(store.database, accountId);
    expect(all).toHaveLength(10);
    expect(all.map(({ createdAtMs }) => createdAtMs)).toEqual(
      all.map(({ createdAtMs }) => createdAtMs).toSorted((a, b) => b - a),
    );
    const page = { accountId, webhookId: null, status: null, limit: 4 };
    const pages = [await store.database.run(listDeliveries, { ...page, beforeId: null })];
    pages.push(await store.database.run(listDeliveries, { ...page, beforeId: pages[0]?.at(-1)?.id ?? '' }));
    expect(pages.flat().map(({ id }) => id)).toEqual(all.slice(0, 8).map(({ id }) => id));
    for (const { id } of [first, second]) expect(await listAll(store.database, accountId, { webhookId: id })).toHaveLength(5);
    expect(await listAll(store.database, newAccountId())).toEqual([]);
  });
});
