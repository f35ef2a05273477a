import { turnTwoStepOn } from '../support/accounts/two-step.ts';
import { newId, newRequestId } from '@errand/base/ids.ts';
import { recordRequests } from '../../src/store/requests/kept-requests.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import { keepWorker } from '../../src/store/tasks/workers/workers.ts';
import { examples } from '../../src/http/openapi/openapi-examples.ts';
import { insertArtifact } from '../support/artifacts/artifact-samples.ts';
import type { OpenStore } from '../support/db/databases.ts';
import { packOffice, wordParts } from '../support/files/office-samples.ts';
import type { ApiUnderTest, Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import type { Things } from './asking.ts';
import type { Published } from './published-api.ts';

/** Where requests go, and what they may do there. */
export interface Place {
  store: OpenStore;
  api: ApiUnderTest;
  instanceKey: string;
}

const example = (operation: string): Json => ({ ...examples[operation] });

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
  // Which requests have set.
  await store.query('DELETE FROM running_limits');
  await store.query('UPDATE accounts SET max_running_tasks = NULL');
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

/** A task with an answer, and the event of that. */
async function answerTask(store: OpenStore, api: ApiUnderTest): Promise<Record<string, string>> {
  const taskId = await api.createTask();
  const hand = await takeTask(store, taskId);
  await hand.finish('done');
  const { messages } = (await api.call('task.listMessages', { task_id: taskId })).body;
  const answer = messages.find(({ type }) => type === 'assistant_message');
  return { task: taskId, event: String(answer?.id) };
}

/** A question that waits; its item in the inbox. */
async function awaitAnswer(store: OpenStore, api: ApiUnderTest): Promise<string> {
  const hand = await takeTask(store, await api.createTask());
  await hand.ask('why?');
  const { data } = (await api.call('inbox.list', { limit: '1' })).body as unknown as { data: { id: string }[] };
  return String(data[0]?.id);
}

/** A comment, and its task. */
async function commentOn(api: ApiUnderTest): Promise<Record<string, string>> {
  const task = await api.createTask();
  const { body } = await api.call('task.comment', { task_id: task, text: 'Good.' });
  return { task, comment: String((body.comment as Json).id) };
}

/** A delivery to a trigger. */
async function deliver(api: ApiUnderTest): Promise<string> {
  const { trigger } = (await api.call('trigger.create', example('trigger.create'))).body as unknown as {
    trigger: { id: string };
  };
  await api.call('trigger.try', { trigger_id: trigger.id, body: {} });
  const { data } = (await api.call('trigger.events', { trigger_id: trigger.id })).body as unknown as { data: { id: string }[] };
  return String(data[0]?.id);
}

/** A request that is recorded. */
async function recordRequest({ store, api }: Place): Promise<string> {
  const [id, { accountId, keyId }] = [newRequestId(Date.now()), api.owner];
  const sent = { accountId, id, atMs: Date.now(), method: 'GET', path: '/v2/task.list', query: '', body: null };
  const answer = { status: 200, durationMs: 1, errorCode: null, errorParam: null, taskId: null, replay: 'possible' } as const;
  await store.database.run(recordRequests, { requests: [{ ...sent, ...answer, credential: `api_key ${keyId}` }], full: [] });
  return id;
}

async function createAccount(api: ApiUnderTest, key: string): Promise<Json> {
  return (await api.call('instance.createAccount', { email: `${newId(Date.now())}@example.com` }, { key })).body;
}

async function createKey(api: ApiUnderTest, key: string): Promise<string> {
  const { account } = (await createAccount(api, key)) as unknown as { account: { id: string } };
  const { body } = await api.call('instance.createKey', { account_id: account.id }, { key });
  return String((body.key as Json).id);
}

/** The main task, which is the only one that can be emptied, and only at rest. */
async function restMainTask(api: ApiUnderTest): Promise<string> {
  const main = 'agent-default-main_task';
  await api.call('task.sendMessage', { task_id: main, message: { content: 'x' } });
  await api.call('task.stop', { task_id: main });
  return main;
}

/** A task that has ended, so that its stream ends, and something of every other kind. */
export async function furnish({ store, api, instanceKey }: Place, things: Things): Promise<void> {
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
  things.learn((await api.call('webhook.listen', { url: 'http://localhost:3000/hook' })).body);
  for (const kind of ['schedule', 'trigger', 'recipe'])
    things.learn((await api.call(`${kind}.create`, example(`${kind}.create`))).body);
  things.learn(await createAccount(api, instanceKey));
  const workerId = newId(Date.now());
  const machine = { diskFreeBytes: 1, diskTotalBytes: 2, hasSandbox: true, sandbox: 'at most 4 GB', jobs: [] };
  await store.database.run(keepWorker, { workerId, host: 'here', concurrency: 4, ttlMs: 3_600_000, ...machine });
  things.add('worker', workerId);
  await api.call('memory.write', example('memory.write'));
}

async function uploadFile(
  api: ApiUnderTest,
  filename = 'a.txt',
  body: string | Uint8Array<ArrayBuffer> = 'bytes',
): Promise<string> {
  const { file, upload_url: url } = (await api.call('file.upload', { filename })).body as unknown as {
    file: { id: string };
    upload_url: string;
  };
  await fetch(url, { method: 'PUT', body });
  return file.id;
}

/** Things that can be removed. */
export async function makeSome({ api, instanceKey }: Place): Promise<Record<string, string>> {
  const { file } = (await api.call('file.upload', { filename: 'a.txt' })).body as unknown as { file: { id: string } };
  const made = await api.call('webhook.create', { url: 'https://example.com/hook' });
  const { webhook } = made.body as unknown as { webhook: { id: string } };
  const { account } = (await createAccount(api, instanceKey)) as unknown as { account: { id: string } };
  await api.call('memory.write', example('memory.write'));
  const others = ['schedule', 'trigger', 'recipe'].map(async (kind) => {
    const { body } = await api.call(`${kind}.create`, example(`${kind}.create`));
    return [kind, (body[kind] as Json).id] as const;
  });
  const rest = Object.fromEntries(await Promise.all(others)) as Record<string, string>;
  return { task: await api.createTask(), file: file.id, webhook: webhook.id, account: account.id, ...rest };
}

/** What some operations use up, made for one request. */
export async function prepareFor({ id, isBytes }: Published, place: Place): Promise<Readonly<Record<string, string>>> {
  const { store, api, instanceKey } = place;
  switch (id) {
    case 'task.confirmAction':
      return awaitApproval(store, api);
    case 'task.rate':
      return answerTask(store, api);
    case 'task.updateComment':
    case 'task.deleteComment':
      return commentOn(api);
    case 'task.handOver':
      return { task: await api.createTask(), account: api.owner.accountId };
    case 'task.clear':
      return { task: await restMainTask(api) };
    case 'inbox.decide':
    case 'inbox.assign':
      return { item: await awaitAnswer(store, api), account: api.owner.accountId };
    case 'brand.read':
      return { file: await uploadFile(api, 'a.docx', Uint8Array.from(packOffice(wordParts('<w:p/>')))) };
    case 'model.deleteKey':
      await api.call('model.setKey', example('model.setKey'));
      return {};
    case 'trigger.replay':
      return { event: await deliver(api) };
    case 'request.detail':
      return { request: await recordRequest(place) };
    case 'instance.revokeKey':
      return { key: await createKey(api, instanceKey) };
    case 'instance.createPasswordLink':
      // One that no other operation has disabled.
      return { account: String(((await createAccount(api, instanceKey)).account as Json).id) };
    case 'instance.removeTwoStep': {
      const account = String(((await createAccount(api, instanceKey)).account as Json).id);
      await turnTwoStepOn(store.database, account);
      return { account };
    }
    default:
      return isBytes ? { file: await uploadFile(api) } : {};
  }
}
