import type { z } from 'zod';
import type { Clock } from '@errand/base/clock.ts';
import type { DeltaSource } from '@errand/base/signals/deltas.ts';
import type { SafeFetch } from '@errand/base/net/safe-fetch.ts';
import type { Hints } from '@errand/base/signals/hints.ts';
import type { Passwords } from '@errand/base/secrets/passwords.ts';
import type { Access, Principal } from '../../rules/accounts/access.ts';
import type { PasswordPace } from '../../store/accounts/sign-in-attempts.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import type { Feed } from './feed.ts';
import type { CreditService } from './credit-service.ts';
import { checkInput } from './input-check.ts';
import { checkOutput } from './output-check.ts';
import type { ConnectorService } from './connector-service.ts';
import type { SkillService } from './skill-service.ts';
import type { Urls } from './urls.ts';
import type { WebhookService } from './webhook-service.ts';

/** What rate limits count together. */
export type CostClass = 'create' | 'read' | 'write';

/** What an operation of a method costs unless it says otherwise. */
export function costOf(method: 'GET' | 'POST' | 'PUT' | 'DELETE'): CostClass {
  return method === 'GET' ? 'read' : 'write';
}

/** The workspaces of tasks, for the person who runs this instance. */
export interface WorkspaceFiles {
  list(accountId: string, taskId: string): Promise<{ path: string; kind: 'file' | 'folder'; bytes: number }[]>;
  read(accountId: string, taskId: string, path: string): Promise<Buffer>;
}

/** How the files of messages come in, and where they stay. */
export interface AttachmentIntake {
  blobs: Pick<Blobs, 'put'>;
  httpClient: SafeFetch;
}

/** What one process has for its handlers, the same for every request. */
export interface HandlerServices {
  /** Families of profile names that are understood. */
  families: readonly string[];
  urls: Urls;
  workspaceFiles: WorkspaceFiles;
  webhooks: WebhookService;
  passwords: Passwords;
  /** How often the password of an account may be tried by who is signed in. */
  passwordPace: PasswordPace;
  intake: AttachmentIntake;
  /** The provider of OpenID Connect at which people sign in; null for none. */
  provider: { name: string; issuer: string } | null;
  credits: CreditService;
  skills: SkillService;
  connectors: ConnectorService;
}

/** All that a handler may reach. */
export interface Context extends HandlerServices {
  principal: Principal;
  /** When the request came in, in milliseconds since the epoch. */
  now: number;
  /** The family of profile names that this caller used. */
  family: string;
  /** Clears the cookie of the sign-in, which has ended. */
  clearSignIn(): void;
  read<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
  /** The one write of a request. With an `Idempotency-Key` that was used before it answers with the result from then. */
  write<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result>;
}

export interface StreamContext extends Context {
  hints: Hints;
  clock: Clock;
  deltas: DeltaSource;
  /** Whether the caller's credential is still good. */
  isStillValid(): Promise<boolean>;
}

/** Reads are GET, writes are POST. */
type OperationMethod = 'GET' | 'POST';

interface Row<Request extends z.ZodObject, Response extends z.ZodObject> {
  /** One sentence for the reference. */
  summary: string;
  /** What else a caller has to know. */
  details?: string;
  access: Access;
  /** By default what a GET or a POST costs. */
  cost?: CostClass;
  /** Query parameters of a GET, body of a POST. Fields that are not in it never reach the handler. */
  request: Request;
  /** What leaves beside `ok` and `request_id`; fields that are not in it never do. For a stream, what one event carries. */
  response: Response;
  /** For operations that take more than the usual megabyte. */
  bodyLimitBytes?: number;
  /** A secret in the request or the answer must not be kept to replay it, so there is no `Idempotency-Key`. */
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

/** Where operations of an access stand that are no part of the API for programs. */
const prefixes: Partial<Record<Access, string>> = { operator: '/admin', own: '/admin', browser: '/web', visitor: '/web' };

/** The first part of the path of operations with this access. */
export function prefixOf(access: Access): string {
  return prefixes[access] ?? '/v2';
}

/** The same operation for the web application. */
export function atWeb<Kind extends Operation>(operation: Kind): Kind {
  return { ...operation, path: `/web/${operation.name}` };
}

/** What a definition leaves open. */
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

/** A row of the table. `handle` sees checked input; what it returns is checked on the way out. */
export function defineOperation<Request extends z.ZodObject, Response extends z.ZodObject>(
  method: OperationMethod,
  name: string,
  { handle, ...row }: ReplyDefinition<Request, Response>,
): ReplyOperation {
  return {
    ...row,
    ...completeRow(row, method, name),
    kind: 'reply',
    answer: async (input, context) => checkOutput(name, row.response, await handle(checkInput(row.request, input), context)),
  };
}

interface StreamDefinition<Request extends z.ZodObject, Response extends z.ZodObject> extends Row<Request, Response> {
  follow(input: z.output<Request>, context: StreamContext): Promise<Feed>;
}

/** A row that streams; `follow` sees checked input. */
export function defineStream<Request extends z.ZodObject, Response extends z.ZodObject>(
  method: OperationMethod,
  name: string,
  { follow, ...row }: StreamDefinition<Request, Response>,
): StreamOperation {
  return {
    ...row,
    ...completeRow(row, method, name),
    kind: 'stream',
    open: async (input, context) => follow(checkInput(row.request, input), context),
  };
}
