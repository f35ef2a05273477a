import { describe, expect, it } from 'vitest';
import { type Access, accessRules, type CallerKind, checkAccess, type Principal } from './access.ts';

const callers: Record<CallerKind, Principal['via']> = {
  api_key: { kind: 'api_key', keyId: 'k' },
  operator: { kind: 'operator' },
};

describe('who may call', () => {
  it.each<[Access, CallerKind, boolean]>([
    ['account', 'api_key', true],
    ['account', 'operator', true],
    ['operator', 'api_key', false],
    ['operator', 'operator', true],
  ])('an operation for %s called with %s: %s', (access, kind, isAllowed) => {
    const principal: Principal = { accountId: 'a', plan: 'pro', locale: 'en', via: callers[kind] };
    const check = () => checkAccess(principal, access);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'permission_denied', status: 403 }));
  });

  it('is decided for every rule and every caller', () => {
    expect(Object.keys(accessRules)).toEqual(['account', 'operator']);
    expect(Object.keys(callers)).toHaveLength(2);
  });
});
