import { describe, expect, it } from 'vitest';
import {
  type Access,
  accessRules,
  boundClientOf,
  checkAccess,
  type KeyScope,
  keyScopesFor,
  grantedConnectorsOf,
  narrowToOrigin,
  originOf,
  type Principal,
  type Scope,
  scopes,
  type AppTrust,
} from './access.ts';

function principal(via: Principal['via']): Principal {
  return { accountId: 'a', plan: 'pro', locale: 'en', via };
}

function app(granted: readonly Scope[], trusted: AppTrust = null): Principal {
  return principal({ kind: 'oauth', clientId: 'app', grantId: 'g', scopes: granted, trusted, connectors: ['c1'] });
}

function keyWith(scope: KeyScope): Principal {
  return principal({ kind: 'api_key', keyId: 'k', scope });
}

const callers = {
  key: keyWith('everything'),
  session: principal({ kind: 'session', sessionId: 's' }),
  owner: principal({ kind: 'session', sessionId: 's', isInstanceOwner: true }),
  operator: principal({ kind: 'operator' }),
  visitor: principal({ kind: 'visitor' }),
  'task token': principal({ kind: 'task_token', taskId: 't', can: ['read'] }),
  'instance key': principal({ kind: 'instance_key', keyId: 'i' }),
  'app without scopes': app([]),
  ...Object.fromEntries(scopes.map((scope) => [scope, app([scope])])),
  'team client': app([], 'team'),
  'public client': app([], 'public'),
};

const owners = ['key', 'session', 'owner', 'operator'];
const trusted = ['team client', 'public client'];
const expected: Record<Access, string[]> = {
  account: owners,
  trusted: [...owners, ...trusted],
  tasks: [...owners, ...trusted, 'create_task', 'manage_all_tasks'],
  all_tasks: [...owners, ...trusted, 'manage_all_tasks'],
  task_reads: [...owners, ...trusted, 'create_task', 'manage_all_tasks', 'task token'],
  task_streams: [...owners, ...trusted, 'create_task', 'manage_all_tasks'],
  task_answers: [...owners, ...trusted, 'create_task', 'manage_all_tasks'],
  projects: [...owners, ...trusted, 'create_project', 'manage_all_tasks'],
  browsers: [...owners, ...trusted, 'use_my_browsers'],
  own: ['session', 'owner', 'operator'],
  browser: ['session', 'owner'],
  visitor: ['session', 'owner', 'visitor'],
  operator: ['operator'],
  instance: ['instance key', 'operator', 'owner'],
};

describe('access to an operation', () => {
  const cells = Object.keys(accessRules).flatMap((access) =>
    Object.entries(callers).map(([name, caller]) => [access as Access, name, caller] as const),
  );

  it.each(cells)('for %s is decided for the caller %s', (access, name, caller) => {
    const check = () => checkAccess(caller, { access, method: 'POST' });
    if (expected[access].includes(name)) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'permission_denied', status: 403 }));
  });

  it('is denied to an application with an actionable message', () => {
    const missing = 'insufficient_scope: required one of [create_task, manage_all_tasks]';
    expect(() => checkAccess(app(['create_project']), { access: 'tasks', method: 'GET' })).toThrow(missing);
    expect(() => checkAccess(app(['manage_all_tasks'], 'team'), { access: 'account', method: 'GET' })).toThrow(
      'OAuth tokens are not supported here',
    );
  });
});

describe('the scope of an API key', () => {
  const cells = (['everything', 'tasks', 'read_only'] as const).flatMap((scope) =>
    Object.keys(accessRules).map((access) => [scope, access as Access] as const),
  );

  it.each(cells)('%s narrows what %s admits, and never widens it', (scope, access) => {
    const isOfTasks = ['tasks', 'task_reads', 'task_streams', 'task_answers'].includes(access);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      for (const hasSecret of [false, true]) {
        const suffices = { everything: true, tasks: isOfTasks, read_only: method === 'GET' && !hasSecret }[scope];
        const check = () => checkAccess(keyWith(scope), { access, method, hasSecret });
        if (suffices && expected[access].includes('key')) expect(check).not.toThrow();
        else expect(check).toThrow(expect.objectContaining({ code: 'permission_denied', status: 403 }));
      }
    }
  });

  it('is named in the refusal, with those that suffice', () => {
    expect(keyScopesFor({ access: 'task_reads', method: 'GET' })).toEqual(['everything', 'tasks', 'read_only']);
    const refused = 'insufficient_scope: this API key has the scope read_only; required one of [everything, tasks]';
    expect(() => checkAccess(keyWith('read_only'), { access: 'tasks', method: 'POST' })).toThrow(refused);
  });

  it('that this version does not know allows nothing', () => {
    const unknown = keyWith('newer' as KeyScope);
    expect(() => checkAccess(unknown, { access: 'tasks', method: 'GET' })).toThrow('has the scope newer');
  });
});

describe('the scope of a caller', () => {
  it('is its own tasks for an application that can only create tasks, and the whole account for others', () => {
    const bound = Object.entries(callers).flatMap(([name, caller]) => (boundClientOf(caller) === null ? [] : [name]));
    expect(bound).toEqual(['app without scopes', 'create_task', 'create_project', 'use_connectors', 'use_my_browsers']);
    expect(boundClientOf(app(['create_task', 'manage_all_tasks']))).toBeNull();
  });

  it('limits the lists of such an application to its own tasks, with or without a filter', () => {
    const own = { oauthClientId: 'app', apiKeyId: null };
    expect(narrowToOrigin(app(['create_task']), null, null)).toEqual(own);
    expect(narrowToOrigin(app(['create_task']), 'app', null)).toEqual(own);
    expect(narrowToOrigin(app(['manage_all_tasks']), 'other', null)).toEqual({ oauthClientId: 'other', apiKeyId: null });
    expect(narrowToOrigin(callers.key, null, 'k')).toEqual({ oauthClientId: null, apiKeyId: 'k' });
  });

  it('rejects filters beyond it', () => {
    const denied: unknown = expect.objectContaining({ code: 'permission_denied' });
    expect(() => narrowToOrigin(app(['create_task']), 'other', null)).toThrow(denied);
    expect(() => narrowToOrigin(app(['create_task']), null, 'k')).toThrow(denied);
    const invalid: unknown = expect.objectContaining({ code: 'invalid_argument' });
    for (const caller of [callers.key, app(['create_task'])]) {
      expect(() => narrowToOrigin(caller, 'app', 'k')).toThrow(invalid);
    }
  });

  it('excludes connectors that its user has not granted, for an untrusted application', () => {
    expect(grantedConnectorsOf(app(['use_connectors']))).toEqual(['c1']);
    expect(grantedConnectorsOf(app(['manage_all_tasks', 'create_task']))).toEqual([]);
    for (const caller of [callers.key, callers.session, app([], 'team')]) expect(grantedConnectorsOf(caller)).toBeNull();
  });

  it('records which credential created a task', () => {
    expect(originOf(callers.key)).toEqual({ apiKeyId: 'k', oauthClientId: null });
    expect(originOf(app(['create_task']))).toEqual({ apiKeyId: null, oauthClientId: 'app' });
    expect(originOf(callers.session)).toEqual({ apiKeyId: null, oauthClientId: null });
  });
});
