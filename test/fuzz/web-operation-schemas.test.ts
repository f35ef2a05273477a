import { expect, it } from 'vitest';
import { webOperations } from '../../src/api/index.ts';
import { describeApi } from '../../src/http/openapi/openapi-document.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';
import { WorkerHand } from '../support/tasks/worker-hand.ts';
import { beginRun } from '../support/process/crash-run.ts';
import { describeStores, type OpenStore } from '../support/db/databases.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { ask, type Seen, Things, type World } from './asking.ts';
import { type Published, readDocument } from './published-api.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';
import { askAtRandom } from './ask-at-random.ts';

/** What can be done, about things that there are; an operation that is not here is asked with nothing. */
const sure: Readonly<Record<string, Json>> = {
  'account.update': { locale: 'de' },
  'task.modelCall': { task_id: '@@task:0@@' },
  'task.show': { task_id: '@@task:0@@' },
  'task.watchBrowser': { task_id: '@@task:0@@', view_id: 'view-0001' },
  'task.driveBrowser': { task_id: '@@task:0@@', view_id: 'view-0001', action: 'take' },
  'task.listPreviews': { task_id: '@@task:0@@' },
  'skill.show': { skill_id: '@@skill:0@@' },
  'key.create': { name: 'k' },
  'key.revoke': { key_id: '@@key:0@@' },
  'team.create': { name: 'Garden' },
  'team.invite': { email: 'ann@example.org' },
  'team.withdraw': { email: 'ann@example.org' },
  'team.setRole': { member: '@@member:0@@', role: 'admin' },
  'team.remove': { member: '@@member:0@@' },
  'team.switch': { team: '@@team:0@@' },
  'app.create': { name: 'A', redirect_uris: ['https://app.example/cb'], scopes: ['create_task'] },
  'app.show': { client_id: '@@app:0@@' },
  'app.update': { client_id: '@@app:0@@', name: 'B' },
  'app.delete': { client_id: '@@app:0@@' },
  'app.addSecret': { client_id: '@@app:0@@' },
  'app.revokeSecret': { client_id: '@@app:0@@', secret_id: '@@secret:0@@' },
  'share.archive': { share_id: '@@share:0@@' },
  'share.detail': { share_id: '@@share:0@@' },
  'share.listMessages': { share_id: '@@share:0@@' },
  'share.stream': { share_id: '@@share:0@@' },
  'webhook.delivery': { delivery_id: '@@delivery:0@@' },
  'webhook.enable': { webhook_id: '@@webhook:0@@' },
  'webhook.resend': { webhook_id: '@@webhook:0@@' },
};

/** What others must have set up first: an authenticator, an application, a bot, a tool server, an identity provider, an invitation, a push service, a task. */
const needsOthers = [
  'account.twoStepBegin',
  'account.twoStepConfirm',
  'account.twoStepCodes',
  'account.twoStepOff',
  'account.passkeyBegin',
  'account.passkeyAdd',
  'account.passkeyRemove',
  'notification.subscribe',
  'task.repeat',
  'connection.disconnect',
  'connector.signIn',
  'identity.unlink',
  'team.invitation',
  'team.accept',
  'bridge.link',
  'bridge.unlink',
];

function readWeb(): Published[] {
  const all = readDocument(describeApi({ operations: webOperations, legacyOperations: [] }, '1', ['service']));
  return all.map((operation) => {
    const fields = sure[operation.id] ?? {};
    const input = operation.method === 'GET' ? { query: fields, body: undefined } : { query: {}, body: fields };
    return { ...operation, sure: { path: {}, ...input, idempotencyKey: null } };
  });
}

/** The owner at a browser, with something of every kind that can be used up. */
class Browser {
  readonly #store: OpenStore;
  readonly #api: ApiUnderTest;
  #asked = 0;

  constructor(store: OpenStore, api: ApiUnderTest) {
    this.#store = store;
    this.#api = api;
  }

  /** A sign-in for each request, since some end them; every other share is viewed without sign-in. */
  async headersOf({ id }: Published): Promise<Record<string, string>> {
    this.#asked += 1;
    if (id.startsWith('share.') && this.#asked % 2 === 0) return {};
    return (await addSession(this.#store.database, this.#api.owner.accountId)).headers;
  }

  async #post(name: string, body: Json, accountId = this.#api.owner.accountId): Promise<Json> {
    const { headers } = await addSession(this.#store.database, accountId);
    const init = { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
    return (await (await fetch(`${this.#api.http.url()}/web/${name}`, init)).json()) as Json;
  }

  async prepare({ id }: Published): Promise<Record<string, string>> {
    if (id === 'key.revoke') return { key: idOf((await this.#post('key.create', { name: 'k' })).key) };
    if (id.startsWith('app.') && id !== 'app.create' && id !== 'app.list') return this.#makeApp();
    if (id === 'team.switch') return { team: idOf((await this.#post('team.create', { name: 'Garden' })).team) };
    if (id === 'team.remove' || id === 'team.setRole') return { member: await this.#joinTeam() };
    if (id !== 'session.delete') return {};
    return { session: (await addSession(this.#store.database, this.#api.owner.accountId)).sessionId };
  }

  async #makeApp(): Promise<Record<string, string>> {
    const made = await this.#post('app.create', sure['app.create'] ?? {});
    const app = String(made.client_id);
    const { secret } = await this.#post('app.addSecret', { client_id: app });
    // An account may have only so many.
    await this.#store.query('DELETE FROM oauth_apps WHERE client_id <> ?', app);
    return { app, secret: idOf(secret) };
  }

  async #joinTeam(): Promise<string> {
    await this.#post('team.create', { name: 'Garden' });
    const mate = await addOwner(this.#store.database);
    const email = `${mate.accountId}@example.com`.toLowerCase();
    const { token } = await this.#post('team.invite', { email });
    await this.#post('team.accept', { token }, mate.accountId);
    return mate.accountId;
  }
}

function idOf(thing: unknown): string {
  return String((thing as { id: string } | undefined)?.id);
}

/** Tasks, one of them shared, and a webhook that receives their events. */
async function furnish(store: OpenStore, api: ApiUnderTest, things: Things): Promise<void> {
  const { webhook } = (await api.call('webhook.create', { url: 'https://example.com/hook' })).body;
  things.add('webhook', idOf(webhook));
  const content = '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n';
  things.learn((await api.call('skill.create', { content })).body);
  const taskId = await api.createTask('task', { share_visibility: 'public' });
  await (await WorkerHand.take(store.database, taskId)).finish('done');
  things.add('task', taskId);
  const { share_url: url } = (await api.call('task.update', { task_id: taskId, title: 'Shared' })).body;
  things.add('share', new URL(url as string).pathname.split('/').at(-1));
  const [row] = await store.query('SELECT id FROM deliveries');
  things.add('delivery', row?.id);
}

describeStores('every operation of the web application', (store) => {
  it('answers valid and invalid input according to its schemas, and stores no unknown field', async () => {
    const run = beginRun(`schemas of the web application on ${store.engine}`, { gate: 300, night: 5000 });
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const webhooks = { ...idleWebhookService, publicKeys, rotateKeys: publicKeys };
    await using api = await ApiUnderTest.start(store.database, { webhooks });
    const [published, things, browser] = [readWeb(), new Things(), new Browser(store, api)];
    await furnish(store, api, things);
    const seen: Seen = { count: 0, ids: new Set(), granted: new Map() };
    const world: World = {
      ...{ api, things },
      headersOf: (operation) => browser.headersOf(operation),
      prepare: (operation) => browser.prepare(operation),
    };
    for (const operation of published) expect(await ask(world, operation, operation.sure, seen)).toBeNull();
    expect(published.flatMap(({ id }) => (seen.granted.has(id) ? [] : [id])).toSorted()).toEqual(needsOthers.toSorted());
    await askAtRandom(run, { store, world, published, seen });
  });
});
