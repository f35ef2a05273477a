import type { IncomingMessage } from 'node:http';
import { networkOf } from '@errand/base/net/address-block.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { Fault } from '@errand/base/fault.ts';
import type { Plan, Principal } from '../../rules/accounts/access.ts';
import { type TaskTokenClaims, taskTokenPrefix } from '../../rules/tasks/task-token.ts';
import { type AccountStatus, refuseAtRest } from '../../rules/accounts/account-status.ts';
import { instanceRecord } from '../../rules/accounts/security-event.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { KeyOwner } from '../../store/accounts/api-keys.ts';
import type { Database } from '../../store/db/database.ts';
import type { Session } from '../../store/accounts/sessions.ts';
import { hasCredential, instanceKeyPrefix, readBearerKey, readCredential } from './request-credential.ts';
import type { CredentialOwners } from './credential-owners.ts';
import type { TokenOwner } from '../server/http-parts.ts';
import type { CredentialUse } from './credential-use.ts';
import { readSessionCookie } from './session-credential.ts';

/** The caller, its family of names, and a check whether the credential is still valid later. */
export interface Caller {
  principal: Principal;
  family: string;
  /** Identifies the credential among all of this process, without its secret: the same for every request that sends it. */
  credential: string;
  isStillValid(): Promise<boolean>;
}

/** Throws or rejects with 401 `unauthenticated`. Synchronous if no lookup is needed. */
export type Authenticate = (request: IncomingMessage) => Caller | Promise<Caller>;

/** The account of a task token, and what the token says. */
export interface TaskTokenOwner extends TaskTokenClaims {
  plan: Plan;
  locale: string;
  status: AccountStatus;
}

export interface AuthenticateParts {
  keys: CredentialOwners<KeyOwner>;
  instanceKeys: CredentialOwners<{ keyId: string }>;
  tokens: CredentialOwners<TokenOwner>;
  use: { keys: CredentialUse; instanceKeys: CredentialUse; sessions: CredentialUse };
  families: readonly string[];
  sessions: CredentialOwners<Session>;
  taskTokens: CredentialOwners<TaskTokenOwner>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Where people see the service. */
  publicUrl(): string;
  /** Where a request comes from, behind proxies that are trusted. */
  visitorOf(request: IncomingMessage): string;
}

/** Awaits only promises. */
function whenFound<Owner>(
  owner: Owner | null | Promise<Owner | null>,
  admit: (owner: Owner | null) => Caller,
): Caller | Promise<Caller> {
  return owner instanceof Promise ? owner.then(admit) : admit(owner);
}

/** Whether the owner of a credential may act. */
function isLive(owner: { status: AccountStatus } | null): boolean {
  return owner?.status === 'active';
}

function authenticateInstanceKey({ instanceKeys, use }: AuthenticateParts, key: string): Caller | Promise<Caller> {
  return whenFound(instanceKeys.find(key), (owner) => {
    if (!owner) throw new Fault('unauthenticated', 'invalid instance key');
    const { keyId } = owner;
    use.instanceKeys.note(instanceRecord, keyId);
    return {
      principal: { accountId: instanceRecord, plan: 'free', locale: 'en', via: { kind: 'instance_key', keyId } },
      family: 'service',
      credential: `instance key ${keyId}`,
      isStillValid: async () => (await instanceKeys.find(key)) !== null,
    };
  });
}

function authenticateKey(parts: AuthenticateParts, key: string, family: string): Caller | Promise<Caller> {
  const { keys, use, now } = parts;
  const isOver = ({ expiresAtMs }: KeyOwner) => expiresAtMs !== null && expiresAtMs <= now();
  if (key.startsWith(instanceKeyPrefix)) return authenticateInstanceKey(parts, key);
  return whenFound(keys.find(key), (found) => {
    const owner = refuseAtRest(found);
    if (!owner) throw new Fault('unauthenticated', 'invalid API key');
    if (isOver(owner)) throw new Fault('unauthenticated', 'This API key has expired; use another.');
    const { accountId, plan, locale, keyId, scope } = owner;
    use.keys.note(accountId, keyId);
    return {
      principal: { accountId, plan, locale, via: { kind: 'api_key', keyId, scope } },
      family,
      credential: `key ${keyId}`,
      isStillValid: async () => {
        const current = await keys.find(key);
        return current !== null && isLive(current) && !isOver(current);
      },
    };
  });
}

function authenticateTaskToken({ taskTokens, now }: AuthenticateParts, token: string): Caller | Promise<Caller> {
  // A known owner is used for half a second; the token itself ends on time.
  const isOver = (owner: TaskTokenOwner) => owner.endsAtMs <= now();
  return whenFound(taskTokens.find(token), (found) => {
    const owner = refuseAtRest(found);
    if (!owner || isOver(owner)) throw new Fault('unauthenticated', 'task token is invalid, expired, or revoked');
    const { accountId, plan, locale, taskId, can } = owner;
    return {
      principal: { accountId, plan, locale, via: { kind: 'task_token', taskId, can } },
      family: 'service',
      credential: `task token ${digestSecret(token)}`,
      isStillValid: async () => {
        const current = await taskTokens.find(token);
        return current !== null && isLive(current) && !isOver(current);
      },
    };
  });
}

function authenticateToken(parts: AuthenticateParts, token: string): Caller | Promise<Caller> {
  const { tokens } = parts;
  if (token.startsWith(taskTokenPrefix)) return authenticateTaskToken(parts, token);
  return whenFound(tokens.find(token), (owner) => {
    if (!owner) throw new Fault('unauthenticated', 'bearer token is invalid or revoked');
    return {
      principal: owner,
      family: 'service',
      credential: `access token ${digestSecret(token)}`,
      isStillValid: async () => (await tokens.find(token)) !== null,
    };
  });
}

/** Authenticates programs: an API key or an access token. */
export function authenticateProgram(parts: AuthenticateParts): Authenticate {
  return (request) => {
    const credential = readCredential(request, parts.families);
    if (credential.kind === 'bearer') return authenticateToken(parts, credential.secret);
    return authenticateKey(parts, credential.secret, credential.family);
  };
}

function authenticateSession({ sessions, use }: AuthenticateParts, cookie: string): Caller | Promise<Caller> {
  return whenFound(sessions.find(cookie), (found) => {
    const owner = refuseAtRest(found);
    if (!owner) throw new Fault('unauthenticated', 'You are signed out.');
    const { accountId, plan, locale, sessionId, isInstanceOwner } = owner;
    use.sessions.note(accountId, sessionId);
    return {
      principal: { accountId, plan, locale, via: { kind: 'session', sessionId, isInstanceOwner } },
      family: 'service',
      credential: `session ${sessionId}`,
      isStillValid: async () => isLive(await sessions.find(cookie)),
    };
  });
}

/** Authenticates callers of the public server: by a program's credential or, without one, by the session of our pages. */
export function authenticatePublic(parts: AuthenticateParts): Authenticate {
  const authenticate = authenticateProgram(parts);
  return (request) => {
    const cookie = hasCredential(request, parts.families) ? null : readSessionCookie(request, parts.publicUrl());
    return cookie === null ? authenticate(request) : authenticateSession(parts, cookie);
  };
}

/** An anonymous visitor, counted by IP address. */
function admitVisitor(address: string): Caller {
  return {
    principal: { accountId: `visitor ${networkOf(address)}`, plan: 'free', locale: 'en', via: { kind: 'visitor' } },
    family: 'service',
    credential: 'visitor',
    isStillValid: async () => true,
  };
}

/** Authenticates callers of pages that need no sign-in: without a valid session, the caller is a visitor. */
export function authenticateVisitor(parts: AuthenticateParts): Authenticate {
  const authenticate = authenticatePublic(parts);
  return async (request) => {
    if (hasCredential(request, parts.families)) return authenticate(request);
    try {
      return await authenticate(request);
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') return admitVisitor(parts.visitorOf(request));
      throw error;
    }
  };
}

/**
 * Authenticates callers of v1: by the header `API_KEY`, or without it by a key in `Authorization`. Other credentials in the request are
 * ignored (docs/reference/wire-format.md#v1-credential).
 */
export function authenticateLegacy(parts: AuthenticateParts): Authenticate {
  return (request) => {
    const { api_key: named } = request.headers;
    const key = typeof named === 'string' ? named : readBearerKey(request);
    if (key === null || key === '') throw new Fault('unauthenticated', 'missing authentication: send the header API_KEY');
    return authenticateKey(parts, key, 'service');
  };
}

/** Authenticates by the header `API_KEY`, or without it by the credentials of v2. */
export function authenticateEither(parts: AuthenticateParts): Authenticate {
  const [legacy, current] = [authenticateLegacy(parts), authenticateProgram(parts)];
  return (request) => (request.headers.api_key === undefined ? current(request) : legacy(request));
}

/** Treats every caller as a visitor, whatever credential is sent, for what everyone may read. */
export function authenticateNobody({ visitorOf }: Pick<AuthenticateParts, 'visitorOf'>): Authenticate {
  return (request) => admitVisitor(visitorOf(request));
}

/**
 * Authenticates callers of the control server, who all are the operator. They act for the account in the header `x-errand-account` (email
 * address or id), by default the first one. Bridges name the chat of a person in `x-errand-chat`; requests made by mail carry
 * `x-errand-mail`.
 */
export function authenticateOperator(database: Database): Authenticate {
  return async ({ headers }) => {
    const { 'x-errand-account': named, 'x-errand-chat': chatId, 'x-errand-mail': byMail } = headers;
    const person = { ...(typeof chatId === 'string' && { chatId }), ...(byMail === '1' && { isByMail: true }) };
    const account = await database.run(findAccount, typeof named === 'string' ? named : null);
    if (!account && named !== undefined) throw new Fault('not_found', 'account not found');
    // An instance without accounts: somebody has to create the next one.
    const { accountId, plan, locale } = account ?? { accountId: instanceRecord, plan: 'free' as const, locale: 'en' };
    return {
      principal: { accountId, plan, locale, via: { kind: 'operator', ...person } },
      family: 'service',
      credential: 'operator',
      isStillValid: async () => true,
    };
  };
}
