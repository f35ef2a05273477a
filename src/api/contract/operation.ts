import type { WatchRoots } from '../../rules/triggers/watched-folder.ts';
import type { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import type { FairGate } from '@errand/base/load/fair-gate.ts';
import type { Broadcast } from '@errand/base/signals/broadcast.ts';
import type { DeltaSource } from '@errand/base/signals/deltas.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { Passwords } from '@errand/base/secrets/passwords.ts';
import type { SealedBox } from '@errand/base/secrets/sealed-box.ts';
import type { TaskTokenClaims } from '../../rules/tasks/task-token.ts';
import type { StorageUse } from '../../rules/files/storage-quota.ts';
import type { Access, Principal } from '../../rules/accounts/access.ts';
import type { PasswordPace } from '../../store/accounts/sign-in-attempts.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import type { AccountMail } from './services/account-mail.ts';
import type { AccountArchives } from './account-archives.ts';
import type { Feed, FollowedLogs, ReaderAccess } from './feed.ts';
import type { BrandService } from './services/brand-service.ts';
import type { CreditService } from './services/credit-service.ts';
import type { OneWrite } from './one-write.ts';
import { checkOutput } from './output-check.ts';
import type { ConnectorService } from './services/connector-service.ts';
import type { ModelKeyService } from './services/model-key-service.ts';
import type { ModelService } from './services/model-service.ts';
import type { TriggerSecretBox } from './trigger-secrets.ts';
import type { SkillService } from './services/skill-service.ts';
import { readInput, type UnknownFields } from './unknown-fields.ts';
import type { Urls } from './urls.ts';
import type { WebhookService } from './services/webhook-service.ts';

/** Classes of requests for rate limits. */
export type CostClass = 'create' | 'read' | 'write';

/** The default class of a method. */
export function costOf(method: 'GET' | 'POST' | 'PUT' | 'DELETE'): CostClass {
  return method === 'GET' ? 'read' : 'write';
}

/** The workspaces of tasks: `list`, `read`, and `unpack` are for the operator. */
export interface WorkspaceFiles {
  list(accountId: string, taskId: string): Promise<{ path: string; kind: 'file' | 'folder'; bytes: number }[]>;
  read(accountId: string, taskId: string, path: string): Promise<Buffer>;
  /** Brings back the folder of a packed workspace; leaves all others alone. Rejects with `failed_precondition` where processes share tasks. */
  unpack(accountId: string, taskId: string): Promise<void>;
  /** Removes the files of an emptied task on this machine. */
  clear(accountId: string, taskId: string): Promise<void>;
}

/** How files of messages are fetched and stored. */
export interface AttachmentIntake {
  blobs: Pick<Blobs, 'put' | 'deleteUnused'>;
  httpClient: SafeFetch;
  /** Concurrent fetches of this process. */
  fetches: FairGate;
  clock: Clock;
}

/** Dependencies shared by all requests of a process. */
export interface HandlerServices {
  /** Accepted families of profile names. */
  families: readonly string[];
  urls: Urls;
  workspaceFiles: WorkspaceFiles;
  webhooks: WebhookService;
  passwords: Passwords;
  /** Whether people can sign in with a password. */
  acceptsPasswords: boolean;
  /** Whether invitations by all users can create accounts, not only those by owners of the instance. */
  hasTeamSignUp: boolean;
  /** Rate limit for password attempts by a signed-in account. */
  passwordPace: PasswordPace;
  intake: AttachmentIntake;
  /** Events that may be listed at the same time. */
  eventPages: FairGate;
  /** The OpenID Connect provider for sign-in; null for none. */
  provider: { name: string; issuer: string } | null;
  credits: CreditService;
  /** How much an account may store. */
  storageLimit: StorageUse;
  /** Seals secrets that must be readable later; null for a process without the secret of the instance. */
  seal: Pick<SealedBox, 'open' | 'seal' | 'reseal'> | null;
  /** Makes tokens for tasks; null for a process without the secret of the instance. */
  taskTokens: { format(claims: TaskTokenClaims): string } | null;
  skills: SkillService;
  brands: BrandService;
  connectors: ConnectorService;
  triggerSecrets: TriggerSecretBox;
  /** Sends mail about accounts to their users; null where the service sends no mail. */
  accountMail: AccountMail | null;
  /** The ways in which this service can notify people. */
  notifications: {
    /** The public key of the service for subscriptions of browsers, in Base64url; null for a process that cannot push. */
    pushKey: string | null;
    /** Whether mail can be sent. */
    hasMail: boolean;
    /** Whether a chat platform is configured. */
    hasChats: boolean;
  };
  /** The domain of the addresses of triggers; null where no mail arrives. */
  mailDomain: string | null;
  /** Folders of the server that accounts may watch; empty for none. */
  watchRoots: WatchRoots;
  /** Whether the operator has opened private addresses to requests; only then may storages be unencrypted. */
  hasOpenings: boolean;
  /** Default limit of running tasks per account; null for any number. */
  usualRunningTasks: number | null;
  models: ModelService;
  modelKeys: ModelKeyService;
  accountArchives: AccountArchives;
  /** Receives messages from workers with live browsers; null for a process that cannot receive them. */
  channel: Broadcast | null;
}

/** Everything available to a handler. */
export interface Context extends HandlerServices, UnknownFields, OneWrite {
  principal: Principal;
  /** Time of the request in milliseconds since the epoch. */
  now: number;
  /** Aborted when the caller disconnects before the response, so that long work can stop. */
  readonly signal: AbortSignal;
  /** The same, for whoever waits for another server: reading it ends that the request counts as load of this process. */
  readonly outwardSignal: AbortSignal;
  /** The family of profile names used by this caller. */
  family: string;
  /** The span of the caller: a valid `traceparent` in version 00; null for none. */
  traceparent: string | null;
  /** Clears the cookie of the ended session. */
  clearSignIn(): void;
  read<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
}

export interface StreamContext extends Context {
  hints: Hints;
  clock: Clock;
  deltas: DeltaSource;
  logs: FollowedLogs;
  /** The caller's credential: its identity, and whether it is still valid. */
  access: ReaderAccess;
}

/** Reads are GET, writes are POST. */
type OperationMethod = 'GET' | 'POST';

interface Row<Request extends z.ZodObject, Response extends z.ZodObject> {
  /** One sentence for the reference. */
  summary: string;
  /** Further details for callers. */
  details?: string;
  access: Access;
  /** Default: by its method, GET or POST. */
  cost?: CostClass;
  /** 202 for an operation whose work continues after the response; default: 200. */
  status?: 202;
  /** Rearranges the input before it is checked. */
  prepare?: (input: unknown) => unknown;
  /** Query parameters of a GET, body of a POST. Unknown fields never reach the handler. */
  request: Request;
  /** The response besides `ok` and `request_id`; other fields are dropped. For a stream, the content of one event. */
  response: Response;
  /** Size limit of the body, for operations that accept more than the default of one megabyte. */
  bodyLimitBytes?: number;
  /** A secret in the request or response: nothing for keys that only read, and no `Idempotency-Key`, because it must not be stored for replay. */
  hasSecret?: boolean;
}

interface AnyRow extends Row<z.ZodObject, z.ZodObject> {
  /** The wire name, which is also the name of its file. */
  name: string;
  method: OperationMethod;
  path: string;
  cost: CostClass;
}

/** An operation that answers once. */
export interface ReplyOperation extends AnyRow {
  kind: 'reply';
  answer(input: unknown, context: Context): Promise<Record<string, unknown>>;
}

/** An operation that streams its response. */
export interface StreamOperation extends AnyRow {
  kind: 'stream';
  open(input: unknown, context: StreamContext): Promise<Feed>;
}

export type Operation = ReplyOperation | StreamOperation;

/** Path prefixes of operations that are not part of the public API. */
const prefixes: Partial<Record<Access, string>> = { operator: '/admin', own: '/admin', browser: '/web', visitor: '/web' };

/** The first part of the path of operations with this access. */
export function prefixOf(access: Access): string {
  return prefixes[access] ?? '/v2';
}

/** A copy of an operation that the web application calls, under `/web`. */
export function atWeb<Kind extends Operation>(operation: Kind): Kind {
  return { ...operation, path: `/web/${operation.name}` };
}

/** Fills in what a definition leaves out. */
function completeRow(
  { access, cost }: Pick<Row<z.ZodObject, z.ZodObject>, 'access' | 'cost'>,
  method: OperationMethod,
  name: string,
) {
  return { name, method, path: `${prefixOf(access)}/${name}`, cost: cost ?? costOf(method) };
}

interface ReplyDefinition<Request extends z.ZodObject, Response extends z.ZodObject> extends Row<Request, Response> {
  handle(input: z.output<Request>, context: Context): Promise<z.input<Response>>;
}

/** Defines an operation. `handle` receives checked input; its result is checked before it is sent. */
export function defineOperation<Request extends z.ZodObject, Response extends z.ZodObject>(
  method: OperationMethod,
  name: string,
  { handle, ...row }: ReplyDefinition<Request, Response>,
): ReplyOperation {
  return {
    ...row,
    ...completeRow(row, method, name),
    kind: 'reply',
    async answer(input, context) {
      const prepared = row.prepare ? row.prepare(input) : input;
      return checkOutput(name, row.response, await handle(readInput(row.request, prepared, context), context));
    },
  };
}

interface StreamDefinition<Request extends z.ZodObject, Response extends z.ZodObject> extends Row<Request, Response> {
  follow(input: z.output<Request>, context: StreamContext): Promise<Feed>;
}

/** Defines an operation that streams; `follow` receives checked input. */
export function defineStream<Request extends z.ZodObject, Response extends z.ZodObject>(
  method: OperationMethod,
  name: string,
  { follow, ...row }: StreamDefinition<Request, Response>,
): StreamOperation {
  return {
    ...row,
    ...completeRow(row, method, name),
    kind: 'stream',
    open: async (input, context) => follow(readInput(row.request, input, context), context),
  };
}
