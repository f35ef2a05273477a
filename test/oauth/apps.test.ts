import { describe, expect, it } from 'vitest';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TokenOwner } from '../../src/http/service/http-service.ts';
import type { Scope, AppTrust } from '../../src/rules/accounts/access.ts';
import { describeStores } from '../support/db/databases.ts';
import { addOwner, ApiUnderTest, type Json } from '../support/http/api-under-test.ts';

interface App {
  clientId: string;
  scopes?: readonly Scope[];
  trusted?: AppTrust;
}

/** An API where accounts have given tokens to applications, without the pages on which people do that. */
class ApiWithApps {
  readonly api: ApiUnderTest;
  readonly #tokens: Map<string, TokenOwner>;

  private constructor(api: ApiUnderTest, tokens: Map<string, TokenOwner>) {
    this.api = api;
    this.#tokens = tokens;
  }

  static async start(database: ApiUnderTest['database']): Promise<ApiWithApps> {
    const tokens = new Map<string, TokenOwner>();
    const findTokenOwner = (digest: string) => Promise.resolve(tokens.get(digest) ?? null);
    return new ApiWithApps(await ApiUnderTest.start(database, { findTokenOwner }), tokens);
  }

  /** A token that the account has given to an application. */
  grant({ clientId, scopes = ['create_task'], trusted = null }: App, accountId = this.api.owner.accountId): string {
    const token = `token.of.${clientId}-${this.#tokens.size}`;
    const via = { kind: 'oauth' as const, clientId, grantId: `grant-${this.#tokens.size}`, scopes, trusted, connectors: [] };
    this.#tokens.set(digestSecret(token), { accountId, plan: 'pro', locale: 'en', via });
    return token;
  }

  revoke(token: string): void {
    this.#tokens.delete(digestSecret(token));
    this.api.database.hints.publish({ topic: 'credentials' });
  }

  call(name: string, input: Json, token: string) {
    return this.api.call(name, input, { key: null, headers: { authorization: `Bearer ${token}` } });
  }

  async create(token: string): Promise<string> {
    return String((await this.call('task.create', { message: { content: 'Do it' } }, token)).body.task_id);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.api[Symbol.asyncDispose]();
  }
}

describeStores('an application', (store) => {
  it('that may only create tasks reaches its own tasks, and nothing else of the account exists for it', async () => {
    await using apps = await ApiWithApps.start(store.database);
    const [token, sibling, other] = [
      apps.grant({ clientId: 'one' }),
      apps.grant({ clientId: 'one' }),
      apps.grant({ clientId: 'two' }),
    ];
    const own = await apps.create(token);
    const foreign = [await apps.create(other), await apps.api.createTask()];
    const message = { content: 'More' };
    const calls: [name: string, input: Json][] = [
      ['task.detail', {}],
      ['task.listMessages', {}],
      ['task.listMessages', { start_event_id: 'A'.repeat(22) }],
      ['task.stream', {}],
      ['task.sendMessage', { message }],
      ['task.update', { title: 'Mine now' }],
      ['task.stop', {}],
      ['task.delete', {}],
    ];
    const missing = 'Z'.repeat(22);
    for (const [name, input] of calls) {
      const nothing = await apps.call(name, { ...input, task_id: missing }, token);
      expect(nothing.status).toBe(404);
      for (const taskId of foreign) {
        const refused = await apps.call(name, { ...input, task_id: taskId }, token);
        expect({ name, status: refused.status, error: refused.body.error }).toEqual({
          name,
          status: 404,
          error: nothing.body.error,
        });
      }
    }
    expect((await apps.api.call('task.list')).body.data).toHaveLength(3);
    for (const name of ['task.detail', 'task.listMessages']) {
      expect((await apps.call(name, { task_id: own }, sibling)).status).toBe(200);
    }
    expect((await apps.call('task.sendMessage', { task_id: own, message }, token)).status).toBe(200);
    expect((await apps.call('task.update', { task_id: own, title: 'Mine' }, token)).body.task_title).toBe('Mine');
    expect((await apps.call('task.stop', { task_id: own }, token)).status).toBe(200);
    expect((await apps.call('task.delete', { task_id: own }, token)).status).toBe(200);
  });

  it('is remembered as the creator of its tasks, and lists can be narrowed to it', async () => {
    await using apps = await ApiWithApps.start(store.database);
    const [token, all] = [apps.grant({ clientId: 'one' }), apps.grant({ clientId: 'two', scopes: ['manage_all_tasks'] })];
    const [own, theirs, mine] = [await apps.create(token), await apps.create(all), await apps.api.createTask()];
    const idsFor = async (input: Json, credential: string) => {
      const { body } = await apps.call('task.list', { order: 'asc', ...input }, credential);
      return body.data.map(({ id }) => id);
    };
    expect(await idsFor({}, token)).toEqual([own]);
    expect(await idsFor({ oauth_client_id: 'one' }, token)).toEqual([own]);
    expect(await idsFor({}, all)).toEqual([own, theirs, mine]);
    expect(await idsFor({ oauth_client_id: 'one' }, all)).toEqual([own]);
    expect(await idsFor({ api_key_id: apps.api.owner.keyId }, all)).toEqual([mine]);
    expect(await idsFor({ oauth_client_id: 'two\u0000' }, all)).toEqual([]);
    const { body } = await apps.call('task.detail', { task_id: own }, all);
    expect(body.task).toMatchObject({ created_by_api_key: null, created_by_oauth_client: { id: 'one' } });
  });

  it.each([
    [{ oauth_client_id: 'two' }, 403, 'permission_denied'],
    [{ oauth_client_id: 'nobody' }, 403, 'permission_denied'],
    [{ api_key_id: 'k' }, 403, 'permission_denied'],
    [{ api_key_id: 'k', oauth_client_id: 'one' }, 400, 'invalid_argument'],
    [{ scope: 'project' }, 400, 'invalid_argument'],
  ])('that may only create tasks and lists with %j is answered %d', async (input, status, code) => {
    await using apps = await ApiWithApps.start(store.database);
    const answer = await apps.call('task.list', input, apps.grant({ clientId: 'one' }));
    expect(answer).toMatchObject({ status, body: { ok: false, error: { code } } });
  });

  it('has its own pages, separate from those of other credentials', async () => {
    await using apps = await ApiWithApps.start(store.database);
    const token = apps.grant({ clientId: 'one' });
    await apps.create(token);
    await apps.create(token);
    const page = await apps.call('task.list', { limit: 1 }, token);
    const cursor = page.body.next_cursor;
    expect((await apps.call('task.list', { limit: 1, cursor }, token)).status).toBe(200);
    expect((await apps.api.call('task.list', { limit: 1, cursor })).status).toBe(400);
  });

  it('is denied what its scopes do not allow, with the error that clients expect', async () => {
    await using apps = await ApiWithApps.start(store.database);
    const project = apps.grant({ clientId: 'one', scopes: ['create_project'] });
    const refused = await apps.call('task.list', {}, project);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toEqual({
      code: 'permission_denied',
      message: 'insufficient_scope: required one of [create_task, manage_all_tasks]',
    });
    for (const trusted of [null, 'team', 'public'] as const) {
      const token = apps.grant({ clientId: 'one', scopes: ['manage_all_tasks'], trusted });
      expect((await apps.call('webhook.list', {}, token)).body.error).toMatchObject({ code: 'permission_denied' });
    }
    const trustedToken = apps.grant({ clientId: 'two', scopes: [], trusted: 'public' });
    const taskId = await apps.api.createTask();
    expect((await apps.call('task.detail', { task_id: taskId }, trustedToken)).status).toBe(200);
  });

  it('cannot access the tasks of other accounts, whatever its scopes', async () => {
    await using apps = await ApiWithApps.start(store.database);
    const stranger = await addOwner(store.database);
    const taskId = await apps.api.createTask();
    for (const trusted of [null, 'team', 'public'] as const) {
      const token = apps.grant({ clientId: 'one', scopes: ['manage_all_tasks'], trusted }, stranger.accountId);
      expect((await apps.call('task.detail', { task_id: taskId }, token)).status).toBe(404);
      expect((await apps.call('task.list', {}, token)).body.data).toEqual([]);
    }
  });
});

describe('an access token', () => {
  describeStores('is refused', (store) => {
    it('when it is not one', async () => {
      await using apps = await ApiWithApps.start(store.database);
      const statusFor = async (authorization: string, key: string | null = null) => {
        const { status, body } = await apps.api.call('task.list', {}, { key, headers: { authorization } });
        return [status, body.error.code];
      };
      for (const value of ['Bearer', 'Bearer ', 'Basic YTpi', 'bearer x y', 'Bearer unknown', 'token']) {
        expect(await statusFor(value)).toEqual([401, 'unauthenticated']);
      }
      const token = apps.grant({ clientId: 'one' });
      expect(await statusFor(`Bearer ${token}`, apps.api.owner.key)).toEqual([400, 'invalid_argument']);
    });

    it('at once when it is revoked, and an open stream ends with it', async () => {
      await using apps = await ApiWithApps.start(store.database);
      const token = apps.grant({ clientId: 'one' });
      const taskId = await apps.create(token);
      const stream = await apps.api.fetch(
        `/v2/task.stream?task_id=${taskId}`,
        {},
        { key: null, headers: { authorization: `bearer ${token}` } },
      );
      expect(stream.status).toBe(200);
      const ended = stream.text();
      apps.revoke(token);
      expect((await apps.call('task.list', {}, token)).body.error).toEqual({
        code: 'unauthenticated',
        message: 'bearer token is invalid or revoked',
      });
      expect(await ended).toContain('user_message');
    });
  });
});
