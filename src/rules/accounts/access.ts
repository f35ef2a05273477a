import { Fault, invalidField } from '@errand/base/fault.ts';

export const plans = ['free', 'pro', 'team'] as const;
export type Plan = (typeof plans)[number];

/** What an application may be allowed to do (docs/reference/wire-format.md#applications). */
export const scopes = ['create_task', 'manage_all_tasks', 'create_project', 'use_connectors', 'use_my_browsers'] as const;
export type Scope = (typeof scopes)[number];

/** Trusted applications are not bound by scopes: a team's own, and those of partners for every account. */
export type AppTrust = 'team' | 'public' | null;

/** An access token: its application, the account's grant, and what the grant allows. */
export interface OauthCredential {
  kind: 'oauth';
  clientId: string;
  grantId: string;
  scopes: readonly Scope[];
  trusted: AppTrust;
  /** Ids of the connectors that the grant allows; they count with the scope `use_connectors`. */
  connectors: readonly string[];
}

/** What a task token may allow for its task. */
export const taskRights = ['read', 'stream', 'answer'] as const;
export type TaskRight = (typeof taskRights)[number];

/**
 * What an API key may do: everything, work with tasks, or read. A key that only reads is shown nothing with which more could be done.
 */
export const keyScopes = ['everything', 'tasks', 'read_only'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The caller on whose behalf a request runs, and how it proved that. One account is one user. */
export interface Principal {
  accountId: string;
  plan: Plan;
  /** The account's language, the default for what its tasks write. */
  locale: string;
  via: /** `externalUserId`: the one person of the account's product for whom the request acts (`Errand-User`). */
    | { kind: 'api_key'; keyId: string; scope: KeyScope; externalUserId?: string }
    | OauthCredential
    /** The account's user, signed in to the pages; users of accounts that own the instance administer it there. */
    | { kind: 'session'; sessionId: string; isInstanceOwner?: boolean }
    /** The operator, acting for the account, or for its person in a chat or by a mail. Only the control server creates such a principal. */
    | { kind: 'operator'; chatId?: string; isByMail?: boolean }
    /** A program that administers the instance; no account has its ID. */
    | { kind: 'instance_key'; keyId: string }
    /** A page with a token for one task. */
    | { kind: 'task_token'; taskId: string; can: readonly TaskRight[] }
    /** A visitor who is not signed in; no account has its ID, so lookups find nothing. */
    | { kind: 'visitor' };
}

/** Whether the operator of the instance calls, by the control server. */
export function isOperator({ via }: Pick<Principal, 'via'>): boolean {
  return via.kind === 'operator';
}

export type CallerKind = Principal['via']['kind'];

interface Rule {
  callers: readonly CallerKind[];
  /** An access token needs one of these, or a trusted client; it is refused if there is none. */
  scopes?: readonly Scope[];
  /** The right that a task token needs. */
  right?: TaskRight;
  /** Whether only owners of the instance may call it, among signed-in users. */
  isForOwner?: boolean;
}

const owners = ['api_key', 'session', 'operator'] as const;
const ownersAndApps = [...owners, 'oauth'] as const;
const withTaskTokens = [...ownersAndApps, 'task_token'] as const;
const taskScopes = ['create_task', 'manage_all_tasks'] as const;

/** The rules that say who may call an operation (docs/reference/wire-format.md#access). Every operation has one of them. */
export const accessRules = {
  /** The account itself, never an application: webhooks and usage. */
  account: { callers: owners },
  /** The account itself and trusted clients: agents and websites. */
  trusted: { callers: ownersAndApps, scopes: [] },
  /** Tasks, with their inputs and outputs: files, artifacts, connectors, skills. */
  tasks: { callers: ownersAndApps, scopes: taskScopes },
  /** Tasks, also with a token for one task: reading it, its stream, and messages to it. */
  task_reads: { callers: withTaskTokens, scopes: taskScopes, right: 'read' },
  task_streams: { callers: withTaskTokens, scopes: taskScopes, right: 'stream' },
  task_answers: { callers: withTaskTokens, scopes: taskScopes, right: 'answer' },
  /** What concerns all tasks of the account: memory, what starts tasks later, and tokens for others. */
  all_tasks: { callers: ownersAndApps, scopes: ['manage_all_tasks'] },
  projects: { callers: ownersAndApps, scopes: ['create_project', 'manage_all_tasks'] },
  browsers: { callers: ownersAndApps, scopes: ['use_my_browsers'] },
  /** What people set up for their own account, and the operator for any: at /web of the public server and /admin of the control server. */
  own: { callers: ['session', 'operator'] },
  /** Only for users signed in with a browser: at /web alone. */
  browser: { callers: ['session'] },
  /** Pages that need no sign-in; on v1, operations that need no credential. */
  visitor: { callers: ['session', 'visitor'] },
  operator: { callers: ['operator'] },
  /** The administration of the whole instance: by programs with its keys, and by its owners in the web application. */
  instance: { callers: ['instance_key', 'operator', 'session'], isForOwner: true },
} as const satisfies Record<string, Rule>;

export type Access = keyof typeof accessRules;

/** What is asked for: an operation, or a route like one. */
export interface Asked {
  access: Access;
  method: string;
  /** Whether the answer has a secret. */
  hasSecret?: boolean;
}

/** The scopes of API keys that suffice, the least last. */
export function keyScopesFor({ access, method, hasSecret = false }: Asked): KeyScope[] {
  const rule: Rule = accessRules[access];
  const isOfTasks = rule.scopes?.includes('create_task') === true;
  const onlyReads = method === 'GET' && !hasSecret;
  return ['everything', ...(isOfTasks ? ['tasks' as const] : []), ...(onlyReads ? ['read_only' as const] : [])];
}

function checkKeyScope(scope: KeyScope, asked: Asked): void {
  const accepted = keyScopesFor(asked);
  if (accepted.includes(scope)) return;
  const problem = `this API key has the scope ${scope}; required one of [${accepted.join(', ')}]`;
  throw new Fault('permission_denied', `insufficient_scope: ${problem}`);
}

function checkScopes({ scopes: granted, trusted }: OauthCredential, accepted: readonly Scope[]): void {
  if (trusted !== null || accepted.some((scope) => granted.includes(scope))) return;
  const problem =
    accepted.length === 0 ? 'only trusted clients may call this operation' : `required one of [${accepted.join(', ')}]`;
  // The first is the least.
  throw new Fault('permission_denied', `insufficient_scope: ${problem}`, { neededScopes: accepted.slice(0, 1) });
}

function explainRefusal(kind: CallerKind, { callers }: Rule): string {
  if (kind === 'instance_key') return 'An instance key calls instance operations only; use an API key of an account.';
  if (callers.includes('instance_key'))
    return 'Instance operations need an instance key, as errand key create --instance makes, or the sign-in of an owner.';
  if (kind === 'task_token') return 'A task token cannot call this operation.';
  if (kind === 'oauth') return 'OAuth tokens are not supported here; use an API key.';
  return 'This credential may not call this operation.';
}

/** Throws 403 `permission_denied` unless the rule admits this caller. */
export function checkAccess({ via }: Principal, asked: Asked): void {
  const rule: Rule = accessRules[asked.access];
  const isStranger = rule.isForOwner === true && via.kind === 'session' && via.isInstanceOwner !== true;
  if (!rule.callers.includes(via.kind) || isStranger) {
    throw new Fault('permission_denied', explainRefusal(via.kind, rule));
  }
  if (via.kind === 'api_key') checkKeyScope(via.scope, asked);
  if (via.kind === 'oauth') checkScopes(via, rule.scopes ?? []);
  if (via.kind === 'task_token' && !via.can.some((right) => right === rule.right)) {
    throw new Fault('permission_denied', `This task token was made without the right ${String(rule.right)}.`);
  }
}

/**
 * The application whose own tasks are all that the caller may know of, null for callers that may know of all the account's.
 * Code that reads or changes tasks, or their results, passes this on to the store.
 */
export function boundClientOf({ via }: Principal): string | null {
  if (via.kind !== 'oauth' || via.trusted !== null || via.scopes.includes('manage_all_tasks')) return null;
  return via.clientId;
}

/** The person of the account's product whose tasks are all that the caller may know of; null for callers that act for the account. */
export function boundUserOf({ via }: Principal): string | null {
  return via.kind === 'api_key' ? (via.externalUserId ?? null) : null;
}

/** Whether the caller may know of some tasks of the account only, and so of nothing that all its tasks share. */
export function isConfined(principal: Principal): boolean {
  return boundClientOf(principal) !== null || boundUserOf(principal) !== null;
}

/**
 * Whether the caller may know who wrote the messages of a task that it can read, and what limits the budgets of its account: the account, and
 * members of the team. Task tokens and callers that see the tasks of one person of a product are in the hands of others.
 */
export function mayKnowAccount(principal: Principal): boolean {
  return principal.via.kind !== 'task_token' && !isConfined(principal);
}

/**
 * Ids of the connectors that the caller's tasks may use, null for all of the account's: an application needs the scope for it, and
 * gets those that its user chose (docs/reference/wire-format.md#applications).
 */
export function grantedConnectorsOf({ via }: Principal): readonly string[] | null {
  if (via.kind !== 'oauth' || via.trusted !== null) return null;
  return via.scopes.includes('use_connectors') ? via.connectors : [];
}

/**
 * The refusal of an existing connector for which an application requests more than its user has granted
 * (docs/reference/wire-format.md#insufficient-scope).
 */
export function connectorNotGranted(connectorId: string): Fault {
  return new Fault('permission_denied', `insufficient_scope: connector ${connectorId} not granted`, {
    neededScopes: ['use_connectors'],
  });
}

/** The credential recorded with what the caller creates. */
export function originOf({ via }: Principal): { apiKeyId: string | null; oauthClientId: string | null } {
  return {
    apiKeyId: via.kind === 'api_key' ? via.keyId : null,
    oauthClientId: via.kind === 'oauth' ? via.clientId : null,
  };
}

/** Filters of a list by the credential that created its items. */
export interface OriginFilter {
  oauthClientId: string | null;
  apiKeyId: string | null;
}

/**
 * The filter of a list by creating credential (docs/reference/api.md#task-filters): 400 for both at once, 403 for an
 * application that requests more than its own items, which are its default.
 */
export function narrowToOrigin(principal: Principal, oauthClientId: string | null, apiKeyId: string | null): OriginFilter {
  if (oauthClientId !== null && apiKeyId !== null) {
    throw invalidField('api_key_id', 'cannot be combined with oauth_client_id');
  }
  const bound = boundClientOf(principal);
  if (bound === null) return { oauthClientId, apiKeyId };
  if (apiKeyId !== null)
    throw new Fault('permission_denied', 'api_key_id: an app with create_task only cannot filter by API key');
  if (oauthClientId !== null && oauthClientId !== bound) {
    throw new Fault('permission_denied', 'oauth_client_id: an app with create_task only can filter by its own id alone');
  }
  return { oauthClientId: bound, apiKeyId: null };
}
