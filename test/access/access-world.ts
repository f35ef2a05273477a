import { eventId, newApiKey, newId, randomBase62 } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import type { TokenOwner } from '../../src/http/service/http-service.ts';
import type { Scope, AppTrust } from '../../src/rules/accounts/access.ts';
import { createApiKey, revokeApiKey } from '../../src/store/accounts/api-keys.ts';
import { createFile } from '../../src/store/files/files.ts';
import { createProject } from '../../src/store/projects/projects.ts';
import { createSchedule } from '../../src/store/schedules/schedules.ts';
import { acceptInvitation, inviteMember } from '../../src/store/accounts/team-membership.ts';
import { createTeam } from '../../src/store/accounts/teams.ts';
import type { Database } from '../../src/store/db/database.ts';
import { createApp } from '../../src/store/oauth/oauth-apps.ts';
import { createSession, endSession } from '../../src/store/accounts/sessions.ts';
import { createTask } from '../../src/store/tasks/tasks.ts';
import { createListener } from '../../src/store/webhooks/listeners.ts';
import { createWebhook } from '../../src/store/webhooks/webhooks.ts';
import { addTrigger } from '../support/triggers/sample-trigger.ts';
import { idleWebhookService } from '../support/webhooks/idle-webhook-service.ts';
import { addInstanceKey, addOwner, ApiUnderTest, type Owner } from '../support/http/api-under-test.ts';
import { insertArtifact } from '../support/artifacts/artifact-samples.ts';
import type { OpenStore } from '../support/db/databases.ts';
import { sampleSchedule, sampleTask } from '../support/db/store-samples.ts';
import { addSession } from '../support/accounts/web-session.ts';
import { preparedSeq, waitForConnector } from './waiting-task.ts';

type Headers = Readonly<Record<string, string>>;

const ownApp = 'app-that-creates';
const otherApp = 'another-app';

/** What a task of each case is; the rest of the cases are of other things. */
const tasks: Record<string, { apiKeyId?: 'owner'; oauthClientId?: string; shareVisibility?: 'team' | 'public' }> = {
  key: { apiKeyId: 'owner' },
  app: { oauthClientId: ownApp },
  other_app: { oauthClientId: otherApp },
  operator: {},
  key_team: { apiKeyId: 'owner', shareVisibility: 'team' },
  key_public: { apiKeyId: 'owner', shareVisibility: 'public' },
  app_team: { oauthClientId: ownApp, shareVisibility: 'team' },
};

/** Things of which the id is the name. */
const namedById = [
  ...['task', 'waiting', 'share', 'project', 'schedule', 'trigger', 'webhook', 'listener', 'artifact', 'website'],
  ...['key', 'app', 'session'],
];

/** An owner with two keys and several applications, a teammate and a stranger, and what they have. */
export class AccessWorld {
  readonly api: ApiUnderTest;
  readonly credentials: Readonly<Record<string, Headers>>;
  readonly #store: OpenStore;
  readonly #owner: Owner;
  readonly #stranger: Owner;
  /** Part of every title and name that has an owner. */
  readonly canary = `canary${randomBase62(12)}`;

  private constructor(store: OpenStore, api: ApiUnderTest, stranger: Owner, credentials: Readonly<Record<string, Headers>>) {
    this.api = api;
    this.credentials = credentials;
    this.#store = store;
    this.#owner = api.owner;
    this.#stranger = stranger;
  }

  static async build(store: OpenStore): Promise<AccessWorld> {
    const { database } = store;
    const tokens = new Map<string, TokenOwner>();
    const findTokenOwner = (digest: string) => Promise.resolve(tokens.get(digest) ?? null);
    const publicKeys = () => Promise.resolve([{ createdAtMs: 1, rsaPem: 'pem', standard: 'whpk_' }]);
    const webhooks = { ...idleWebhookService, publicKeys, rotateKeys: publicKeys };
    const api = await ApiUnderTest.start(database, { findTokenOwner, webhooks });
    const { owner } = api;
    const [stranger, teammate] = [await addOwner(database), await addOwner(database)];
    const addKey = async (isRevoked: boolean): Promise<Headers> => {
      const [{ accountId }, secret, keyId, now] = [owner, newApiKey(), newId(Date.now()), Date.now()];
      await database.run(createApiKey, {
        accountId,
        keyId,
        name: 'k',
        digest: digestSecret(secret),
        tail: secret.slice(-4),
        now,
      });
      if (isRevoked) await database.run(revokeApiKey, { accountId, keyId, now });
      return { 'x-service-api-key': secret };
    };
    const addToken = (clientId: string, scopes: readonly Scope[], trusted: AppTrust = null): Headers => {
      const token = `token-${randomBase62(43)}`;
      const via = { kind: 'oauth' as const, clientId, grantId: newId(Date.now()), scopes, trusted, connectors: [] };
      tokens.set(digestSecret(token), { accountId: owner.accountId, plan: 'pro', locale: 'en', via });
      return { authorization: `Bearer ${token}` };
    };
    const createToken = addToken(ownApp, ['create_task']);
    const credentials: Record<string, Headers> = {
      none: {},
      unknown_key: { 'x-service-api-key': newApiKey() },
      revoked_key: await addKey(true),
      revoked_token: { authorization: `Bearer token-${randomBase62(43)}` },
      bearer_key: { authorization: `Bearer ${owner.key}` },
      two_credentials: { 'x-service-api-key': owner.key, ...createToken },
      owner_key: { 'x-service-api-key': owner.key },
      second_key: await addKey(false),
      stranger_key: { 'x-service-api-key': stranger.key },
      teammate_key: { 'x-service-api-key': teammate.key },
      app_create_task: createToken,
      other_app: addToken(otherApp, ['create_task']),
      app_manage_all: addToken('managing-app', ['manage_all_tasks']),
      app_create_project: addToken('project-app', ['create_project']),
      app_browsers: addToken('browser-app', ['use_my_browsers']),
      trusted_team: addToken('team-client', [], 'team'),
      trusted_public: addToken('public-client', [], 'public'),
      instance_key: { 'x-service-api-key': await addInstanceKey(database) },
      ...(await this.#signIn(database, { owner, stranger, teammate })),
    };
    const world = new AccessWorld(store, api, stranger, credentials);
    await world.#joinTeam(teammate);
    return world;
  }

  static async #signIn(database: Database, { owner, stranger, teammate }: Record<'owner' | 'stranger' | 'teammate', Owner>) {
    const [session, theirs, mates, ended] = [
      await addSession(database, owner.accountId),
      await addSession(database, stranger.accountId),
      await addSession(database, teammate.accountId),
      await addSession(database, owner.accountId),
    ];
    await database.run(endSession, ended);
    return {
      session: session.headers,
      stranger_session: theirs.headers,
      teammate_session: mates.headers,
      ended_session: ended.headers,
      bare_cookie: { cookie: session.headers.cookie },
      foreign_page: { ...session.headers, 'sec-fetch-site': 'cross-site' },
      key_and_session: { ...theirs.headers, 'x-service-api-key': owner.key },
    };
  }

  async #joinTeam(teammate: Owner): Promise<void> {
    const [now, teamId] = [Date.now(), newId(Date.now())];
    await this.#store.database.run(createTeam, { teamId, name: 'team', ownerId: this.#owner.accountId, now, actor: 'operator' });
    const [email, digest] = [`${teammate.accountId}@example.com`.toLowerCase(), randomBase62(22)];
    await this.#store.database.run(inviteMember, {
      teamId,
      actorId: null,
      actor: 'operator',
      now,
      email,
      role: 'member',
      digest,
    });
    await this.#store.database.run(acceptInvitation, { digest, accountId: teammate.accountId, actor: 'operator', now });
  }

  /** A new thing of each kind for a case, by the names that inputs have for them. */
  async prepare(name: string, wanted: string, apiVersion: 'v1' | 'v2' = 'v2'): Promise<Record<string, string>> {
    const now = Date.now();
    const id = newId(now);
    const { accountId } = name === 'foreign' ? this.#stranger : this.#owner;
    if (name !== 'missing') await this.#make(wanted, name, { accountId, id, now, apiVersion });
    return {
      ...Object.fromEntries(namedById.map((kind) => [`$${kind}`, id])),
      $event: eventId(id, preparedSeq, now),
      $file: `file-${id}`,
    };
  }

  async #make(
    wanted: string,
    name: string,
    { accountId, id, now, apiVersion }: { accountId: string; id: string; now: number; apiVersion: 'v1' | 'v2' },
  ): Promise<void> {
    const { database } = this.#store;
    const { apiKeyId, oauthClientId = null, shareVisibility = 'private' } = tasks[name] ?? {};
    const origin = { apiKeyId: apiKeyId === undefined ? null : this.#owner.keyId, oauthClientId };
    if (wanted === '$task' || wanted === '$waiting' || wanted === '$share') {
      const shareId = shareVisibility === 'private' ? null : wanted === '$share' ? id : randomBase62(22);
      const taskId = wanted === '$share' ? newId(now) : id;
      const sample = { ...sampleTask(accountId), taskId, now, title: this.canary, shareVisibility, shareId };
      await database.run(createTask, { ...sample, ...origin });
      if (wanted === '$waiting') await waitForConnector(database, taskId, this.canary);
    } else if (wanted === '$project') {
      const nothing = {
        instruction: '',
        connectors: [],
        skills: [],
        actions: 'allow' as const,
        memory: true,
        setupScript: '',
        retentionDays: 0,
      };
      const project = { accountId, projectId: id, name: this.canary, ...nothing, now };
      await database.run(createProject, project);
    } else if (wanted === '$schedule') {
      const schedule = { accountId, scheduleId: id, settings: sampleSchedule(this.canary) };
      await database.run(createSchedule, { ...schedule, apiKeyId: null, oauthClientId: null, now });
    } else if (wanted === '$webhook' || wanted === '$listener') {
      await this.#store.query('DELETE FROM webhooks');
      const webhook = { accountId, webhookId: id, url: `https://${this.canary.toLowerCase()}.example/`, sealedSecret: 's' };
      if (wanted === '$listener') await database.run(createListener, webhook);
      else await database.run(createWebhook, { ...webhook, apiVersion, now });
    } else if (wanted === '$trigger') {
      await addTrigger(database, { accountId, triggerId: id, now }, { name: this.canary });
    } else if (wanted === '$file') {
      const about = { filename: `${this.canary}.txt`, contentType: 'text/plain' };
      const file = { accountId, fileId: `file-${id}`, ...about, oauthClientId, now };
      await database.run(createFile, file);
    } else if (wanted === '$website') {
      const visibility = name === 'team' ? 'team' : 'private';
      await this.#store.query(
        `INSERT INTO websites (account_id, id, task_id, space, title, visibility, publish_status, status_updated_at, created_at)
         VALUES (?, ?, ?, ?, ?, ?, 'unpublished', 1, 1)`,
        ...[accountId, id, id, id, this.canary, visibility],
      );
      await this.#store.query(
        `INSERT INTO website_versions (account_id, website_id, number, version_id, message, blob_id, index_at, bytes, created_at)
         VALUES (?, ?, 1, ?, ?, ?, 0, 0, 1)`,
        ...[accountId, id, id, this.canary, id],
      );
    } else if (wanted === '$artifact') {
      await insertArtifact(this.#store.query, accountId, { id, filename: `${this.canary}.pdf`, ...origin });
    } else await this.#makeOwn(wanted, { accountId, id, now });
  }

  /** What the account has set up for itself. */
  async #makeOwn(wanted: string, { accountId, id, now }: { accountId: string; id: string; now: number }): Promise<void> {
    const { database } = this.#store;
    if (wanted === '$key') {
      await this.#store.query('DELETE FROM api_keys WHERE name = ?', this.canary);
      await database.run(createApiKey, { accountId, keyId: id, name: this.canary, digest: randomBase62(43), tail: 'tail', now });
    } else if (wanted === '$app') {
      await this.#store.query('DELETE FROM oauth_apps');
      const kind = { kind: 'team' as const, applicationType: null, isPublic: false };
      const about = { name: this.canary, homepage: null, ...kind, createdAtMs: now };
      const grant = { redirectUris: ['https://app.example/cb'], scopes: ['create_task' as const] };
      await database.run(createApp, { app: { accountId, clientId: id, ...about, ...grant }, secret: null, actor: 'operator' });
    } else if (wanted === '$session') {
      const session = { accountId, sessionId: id, digest: randomBase62(43), now, expiresAtMs: now + 60_000 };
      await database.run(createSession, session);
    }
  }

  /** What nobody but the owner may find in an answer. */
  secrets(): string[] {
    return [this.canary, this.#owner.accountId, this.#owner.keyId, this.#owner.key];
  }
}
