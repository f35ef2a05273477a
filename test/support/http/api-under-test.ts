import { randomBytes } from 'node:crypto';
import { createCreditService } from '../../../src/api/contract/services/credit-service.ts';
import type { ConnectorService } from '../../../src/api/contract/services/connector-service.ts';
import type { PdfService } from '../../../src/api/artifacts/pdf-service.ts';
import type { WebhookService } from '../../../src/api/contract/services/webhook-service.ts';
import { idleAccountArchives } from '../instance/idle-account-archives.ts';
import { idleWebhookService } from '../webhooks/idle-webhook-service.ts';
import { type Clock, systemClock } from '@errand/base/clock.ts';
import { createQuickPasswords } from '../accounts/quick-passwords.ts';
import { newApiKey, newId, newInstanceKey } from '@errand/base/ids.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { LoadGauge } from '@errand/base/load/load-gauge.ts';
import { type Log, silentLog } from '@errand/base/log.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import { OutboundFault } from '@errand/base/net/outbound-fault.ts';
import { type Broadcast, LocalBroadcast } from '@errand/base/signals/broadcast.ts';
import { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import {
  buildHttp,
  type HttpService,
  type HttpSettings,
  type RateLimiter,
  type TokenOwner,
} from '../../../src/http/service/http-service.ts';
import { createTokenSearch } from '../../../src/oauth/authorization-server/access-token-owner.ts';
import type { Plan } from '../../../src/rules/accounts/access.ts';
import { usualCredits } from '../credits/usual-credits.ts';
import { createBrandService } from '../../../src/app/brand-service.ts';
import { openSharePictures } from '../../../src/app/share-pictures.ts';
import { OfficialSkills } from '../../../src/skills/official-skills.ts';
import { readPackage } from '../../../src/skills/skill-package-thread.ts';
import { createInstanceKey } from '../../../src/store/instance/instance-keys.ts';
import { createAccountWithKey } from '../../../src/store/accounts/account-with-key.ts';
import { usualStorageLimits } from '../../../src/rules/files/storage-quota.ts';
import { type Blobs, createBlobs } from '../../../src/store/blobs/blobs.ts';
import type { SignInWays } from '../../../src/oauth/request/web-request.ts';
import type { Database } from '../../../src/store/db/database.ts';
import { takeErrorPage } from './error-page.ts';
import { sampleWorkspace } from '../tasks/sample-workspace.ts';
import { idleConnectors } from '../connectors/idle-connectors.ts';
import { idlePdfConversion } from '../artifacts/idle-pdf-converter.ts';
import { sampleTriggerSecrets } from '../triggers/sample-trigger.ts';
import { type ModelServices, sampleModelServices } from '../models/sample-models.ts';
import { MemoryBlobStore } from '../files/memory-blob-store.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Headers;
  // Tests read what they expect; a wrong shape fails at the comparison.
  body: Json & Record<'task' | 'error', Json> & Record<'data' | 'messages', Json[]>;
}

export interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
}

export interface Owner {
  accountId: string;
  keyId: string;
  key: string;
}

export async function addOwner(database: Database, plan: Plan = 'pro'): Promise<Owner> {
  const now = Date.now();
  const owner = { accountId: newId(now), keyId: newId(now), key: newApiKey() };
  const email = `${owner.accountId}@example.com`.toLowerCase();
  await database.run(createAccountWithKey, {
    account: { accountId: owner.accountId, email, plan, locale: 'en', createdAtMs: now },
    key: { keyId: owner.keyId, name: 'test key', digest: digestSecret(owner.key), tail: owner.key.slice(-4) },
  });
  return owner;
}

/** A new key that administers the instance. */
export async function addInstanceKey(database: Database): Promise<string> {
  const [now, secret] = [Date.now(), newInstanceKey()];
  const digest = digestSecret(secret);
  await database.run(createInstanceKey, { keyId: newId(now), name: 'test key', digest, tail: secret.slice(-4), now });
  return secret;
}

export interface ApiOptions extends Partial<ModelServices> {
  isCreditEnforced?: boolean;
  settings?: Partial<HttpSettings>;
  clock?: Clock;
  gauge?: LoadGauge;
  log?: Log;
  owner?: Owner;
  webhooks?: WebhookService;
  connectors?: ConnectorService;
  limiter?: RateLimiter | undefined;
  /** Memory for what others send, in bytes. */
  memory?: FairGate;
  pdfConversion?: PdfService;
  httpClient?: SafeFetch;
  signIn?: Partial<SignInWays>;
  webFolder?: string;
  seal?: SealedBox;
  mailDomain?: string;
  reach?: { watchRoots?: Record<string, string>; hasOpenings?: boolean };
  channel?: Broadcast;
  contacts?: Partial<typeof usualContacts & { hasTeamSignUp: boolean }>;
  findTokenOwner?: (digest: string) => Promise<TokenOwner | null>;
}

const usualSignIn: SignInWays = { acceptsPasswords: true, sso: null, sessionMs: 30 * 24 * 3_600_000, mail: null };
const hasNoWay = { pushKey: null as string | null, hasMail: false, hasChats: false };
const usualContacts = { usualRunningTasks: null, notifications: hasNoWay };
const noHttpClient: SafeFetch = { request: () => Promise.reject(new OutboundFault('blocked', 'must lead to a public address')) };

function targetOf(name: string, input: Json): { path: string; init: RequestInit } {
  const isRead =
    /(^(memory\.read|notification\.show|brand\.get)|\.(archive|detail|events|list|versions|listMessages|listCheckpoints|status|stream|publicKey|onlineList|availableCredits|teamStatistic|teamLog|breakdown|listRatings|listComments|listAssigned|runs|accountDetail|listAccounts|listTasks|externalUsers|listQueues|listDeliveries|listEvents|listWorkers|listModels|listKeys|findLocalModel|health))$/.test(
      name,
    );
  if (!isRead) {
    const init = { method: 'POST', body: JSON.stringify(input), headers: { 'content-type': 'application/json' } };
    return { path: `/v2/${name}`, init };
  }
  const query = new URLSearchParams(
    Object.entries(input).map(([field, value]): [string, string] => [
      field,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  return { path: `/v2/${name}?${query.toString()}`, init: {} };
}

interface Parts {
  http: HttpService;
  database: Database;
  owner: Owner;
  blobStore: MemoryBlobStore;
  blobs: Blobs;
  contentKey: Uint8Array;
}

const officialSkills = new OfficialSkills();

/** The HTTP server on a real port, without a worker: tests advance tasks themselves. */
export class ApiUnderTest {
  readonly http: HttpService;
  readonly database: Database;
  readonly owner: Owner;
  readonly blobStore: MemoryBlobStore;
  readonly blobs: Blobs;
  readonly contentKey: Uint8Array;

  private constructor(parts: Parts) {
    this.http = parts.http;
    this.database = parts.database;
    this.owner = parts.owner;
    this.blobStore = parts.blobStore;
    this.blobs = parts.blobs;
    this.contentKey = parts.contentKey;
  }

  static async start(database: Database, options: ApiOptions = {}): Promise<ApiUnderTest> {
    const { clock = systemClock, log = silentLog, settings = {} } = options;
    const contentKey = randomBytes(32);
    const blobStore = new MemoryBlobStore();
    const blobs = createBlobs({ database, blobStore, clock });
    const http = buildHttp({
      database,
      clock,
      log,
      gauge: options.gauge ?? new LoadGauge(clock),
      memory: options.memory ?? new FairGate({ capacity: 512 * 1024 * 1024 }),
      settings: {
        host: '127.0.0.1',
        port: 0,
        publicUrl: null,
        contentPort: 0,
        contentUrl: null,
        headerFamilies: ['service', 'manus'],
        trustedProxies: [],
        corsOrigins: [],
        drainMs: 8000,
        controlSocket: null,
        ...settings,
      },
      handlerServices: {
        ...{ workspaceFiles: sampleWorkspace, triggerSecrets: sampleTriggerSecrets, accountArchives: idleAccountArchives },
        webhooks: options.webhooks ?? idleWebhookService,
        passwords: createQuickPasswords(),
        seal: options.seal ?? new SealedBox('a secret of the test'),
        storageLimit: usualStorageLimits.account,
        ...sampleModelServices(database, clock, options),
        credits: createCreditService({ database, ...usualCredits, isEnforced: options.isCreditEnforced ?? false }),
        ...{ connectors: options.connectors ?? idleConnectors, watchRoots: {}, hasOpenings: false, ...options.reach },
        channel: options.channel ?? new LocalBroadcast(),
        ...{ hasTeamSignUp: false, mailDomain: options.mailDomain ?? null, ...usualContacts, ...options.contacts },
        brands: createBrandService(blobs, clock),
        skills: {
          listOfficial: () => officialSkills.list(),
          loadOfficial: (skillId) => officialSkills.load(skillId),
          readPackage: (source, uploader) => readPackage(source, clock, uploader),
        },
      },
      signIn: { ...usualSignIn, ...options.signIn },
      limiter: options.limiter ?? null,
      findTokenOwner: options.findTokenOwner ?? createTokenSearch(database, clock),
      blobs,
      ...{ pdfConversion: options.pdfConversion ?? idlePdfConversion, sharePictures: openSharePictures(blobs, clock) },
      ...{ contentKey, httpClient: options.httpClient ?? noHttpClient },
      ...(options.webFolder !== undefined && { webFolder: options.webFolder }),
      activeModels: () => ({ 'service-1.6': 'offline/offline-1' }),
    });
    await http.start();
    const owner = options.owner ?? (await addOwner(database));
    return new ApiUnderTest({ http, database, blobStore, blobs, contentKey, owner });
  }

  get port(): number {
    return Number(new URL(this.http.url()).port);
  }

  async fetch(path: string, init: RequestInit = {}, { key = this.owner.key, headers = {} }: CallOptions = {}): Promise<Response> {
    const credential = key === null ? {} : { 'x-service-api-key': key };
    const given = init.headers as Record<string, string> | undefined;
    return fetch(this.http.url() + path, { ...init, headers: { ...given, ...credential, ...headers } });
  }

  /** Calls an operation by its name. */
  async call(name: string, input: Json = {}, options: CallOptions = {}): Promise<Answer> {
    const { path, init } = targetOf(name, input);
    const response = await this.fetch(path, init, options);
    return { status: response.status, headers: response.headers, body: takeErrorPage((await response.json()) as Answer['body']) };
  }

  /** A new task's id. */
  async createTask(content: unknown = 'Write a poem', more: Json = {}): Promise<string> {
    const { status, body } = await this.call('task.create', { message: { content }, ...more });
    if (status !== 200) throw new Error(`task.create answered ${status}: ${JSON.stringify(body)}`);
    return body.task_id as string;
  }

  stop(): Promise<void> {
    return this.http.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
