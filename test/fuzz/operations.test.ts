import { expect, it } from 'vitest';
import { newId } from '@errand/base/ids.ts';
import { ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { insertArtifact } from '../support/artifacts/artifact-samples.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { ask, type Seen, Things, type World } from './asking.ts';
import { type Published, readPublished } from './published-api.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';
import { askAtRandom } from './ask-at-random.ts';

/** A site with one checkpoint, made by this task. */
async function insertWebsite({ query }: OpenStore, accountId: string, taskId: string): Promise<void> {
  const id = newId(Date.now());
  await query(
    `INSERT INTO websites (account_id, id, task_id, space, title, visibility, publish_status, status_updated_at, created_at)
     VALUES (?, ?, ?, ?, 'Site', 'private', 'unpublished', 1, 1)`,
    ...[accountId, id, taskId, id],
  );
  await query(
    `INSERT INTO website_versions (account_id, website_id, number, version_id, message, blob_id, index_at, bytes, created_at)
     VALUES (?, ?, 1, 'v1', 'First', 'b1', 0, 0, 1)`,
    ...[accountId, id],
  );
}

/** The task, taken by a worker. What requests have made is taken along, some hundreds at once. */
async function takeTask(store: OpenStore, taskId: string): Promise<WorkerHand> {
  for (let left = 100; ; left--) {
    try {
      return await WorkerHand.take(store.database, taskId);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** A task that waits for approval of an action, and the event that requests it. */
async function awaitApproval(store: OpenStore, api: ApiUnderTest): Promise<Record<string, string>> {
  const taskId = await api.createTask('x', { interactive_mode: true });
  const hand = await takeTask(store, taskId);
  const usage = { input: 1, output: 1, cached: 0 };
  const parts = [{ type: 'call' as const, id: 'c1', tool: 'run_shell', input: {} }];
  const schema = { type: 'object', properties: { accept: { type: 'boolean' } } };
  await hand.log(
    { type: 'model_started', step: 1, attempt: 1, model: 'test/one', estimatedInput: 1 },
    { type: 'model_finished', step: 1, parts, usage },
    { type: 'waiting', callId: 'c1', question: 'May I?', action: { kind: 'terminalExecute', schema } },
  );
  const [status] = (await api.call('task.listMessages', { task_id: taskId })).body.messages;
  const { status_detail: detail } = (status?.status_update ?? {}) as { status_detail?: Json };
  return { task: taskId, event: String(detail?.waiting_for_event_id) };
}

/** The main task, which is the only one that can be emptied, and only at rest. */
async function restMainTask(api: ApiUnderTest): Promise<string> {
  const main = 'agent-default-main_task';
  await api.call('task.sendMessage', { task_id: main, message: { content: 'x' } });
  await api.call('task.stop', { task_id: main });
  return main;
}

/** A task that has ended, so that its stream ends, and something of every other kind. */
async function furnish(store: OpenStore, api: ApiUnderTest, things: Things): Promise<void> {
  for (let count = 0; count < 4; count++) {
    const taskId = await api.createTask(`task ${count}`);
    const hand = await WorkerHand.take(store.database, taskId);
    await insertWebsite(store, api.owner.accountId, taskId);
    if (count % 2 === 0) await hand.finish('done');
    else await hand.ask('why?');
    things.add('task', taskId);
  }
  const team = { teamId: newId(Date.now()), name: 'team', ownerId: api.owner.accountId, now: Date.now(), actor: 'operator' };
  await store.database.run(createTeam, team);
  const [artifactId, { accountId, keyId }] = [newId(Date.now()), api.owner];
  await insertArtifact(store.query, accountId, { id: artifactId, filename: 'a.pdf', apiKeyId: keyId, oauthClientId: null });
  things.add('artifact', artifactId);
  things.learn((await api.call('project.create', { name: 'Garden' })).body);
  things.learn((await api.call('file.upload', { filename: 'a.txt' })).body);
  things.learn((await api.call('webhook.create', { url: 'https://example.com/hook' })).body);
}

async function uploadFile(api: ApiUnderTest): Promise<string> {
  const { file, upload_url: url } = (await api.call('file.upload', { filename: 'a.txt' })).body as unknown as {
    file: { id: string };
    upload_url: string;
  };
  await fetch(url, { method: 'PUT', body: 'bytes' });
  return file.id;
}

/** Things that can be removed. */
async function makeSome(api: ApiUnderTest): Promise<Record<string, string>> {
  const { file } = (await api.call('file.upload', { filename: 'a.txt' })).body as unknown as { file: { id: string } };
  const made = await api.call('webhook.create', { url: 'https://example.com/hook' });
  const { webhook } = made.body as unknown as { webhook: { id: string } };
  return { task: await api.createTask(), file: file.id, webhook: webhook.id };
}

describeStores('every operation of the OpenAPI document', (store) => {
  it('answers valid and invalid input as documented, and stores no unknown field', async () => {
    const run = beginRun(`published schemas on ${store.engine}`, { gate: 400, night: 10_000 });
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const webhooks = { ...idleWebhookService, publicKeys, rotateKeys: publicKeys };
    await using api = await ApiUnderTest.start(store.database, { webhooks });
    const [published, things] = [await readPublished(api), new Things()];
    await furnish(store, api, things);
    const seen: Seen = { count: 0, ids: new Set(), granted: new Map() };
    const world: World = {
      ...{ api, things },
      headersOf: async ({ isLegacy }) => (isLegacy ? { API_KEY: api.owner.key } : { 'x-service-api-key': api.owner.key }),
      // An action is decided once, only the main task is emptied, and only a file that was uploaded has bytes.
      async prepare({ id, isBytes }) {
        if (id === 'task.confirmAction') return awaitApproval(store, api);
        if (id === 'task.clear') return { task: await restMainTask(api) };
        return isBytes ? { file: await uploadFile(api) } : {};
      },
    };
    // First each once as its example shows it, so that what is granted is seen of all of them; removals come last, each of
    // something that was made for it.
    const isRemoval = ({ id }: Published) => /delete/i.test(id);
    for (const operation of published.filter((each) => !isRemoval(each)))
      expect(await ask(world, operation, operation.sure, seen)).toBeNull();
    for (const operation of published.filter(isRemoval))
      expect(await ask(world, operation, operation.sure, seen, await makeSome(api))).toBeNull();
    expect(published.flatMap(({ id }) => (seen.granted.has(id) ? [] : [id]))).toEqual([]);
    await askAtRandom(run, { store, world, published, seen });
  }, 1_200_000);
});
