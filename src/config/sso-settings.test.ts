import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

const right = { ERRAND_OIDC_ISSUER: 'https://login.example.com/o/errand/', ERRAND_OIDC_CLIENT_ID: 'errand' };

it('a provider is configured by its issuer, exactly as written, and a client id', () => {
  const { sso, acceptsPasswords, sessionMs } = readConfig({ ...right, ERRAND_OIDC_DOMAINS: 'Example.com, example.org' });
  expect(sso).toEqual({
    issuer: right.ERRAND_OIDC_ISSUER,
    clientId: 'errand',
    name: 'login.example.com',
    scopes: 'openid email profile',
    team: null,
    domains: ['example.com', 'example.org'],
    canSignUp: false,
    trustsEmail: false,
  });
  expect([acceptsPasswords, sessionMs, readConfig({}).sso]).toEqual([true, 30 * 24 * 3_600_000, null]);
});

it('invalid settings abort startup, and name the variable', () => {
  for (const [name, value] of [
    ['ERRAND_OIDC_ISSUER', 'login.example.com'],
    ['ERRAND_OIDC_ISSUER', 'http://login.example.com'],
    ['ERRAND_OIDC_ISSUER', 'http://127.0.0.1.evil.example'],
    ['ERRAND_OIDC_ISSUER', 'http://localhost.evil.example'],
    ['ERRAND_OIDC_ISSUER', 'https://user@login.example.com'],
    ['ERRAND_OIDC_ISSUER', 'https://login.example.com?x=1'],
    ['ERRAND_OIDC_ISSUER', 'https://login.example.com/.well-known/openid-configuration'],
    ['ERRAND_OIDC_SCOPES', 'email'],
    ['ERRAND_OIDC_SCOPES', 'openid "email"'],
    ['ERRAND_OIDC_DOMAINS', '@example.com'],
    ['ERRAND_OIDC_DOMAINS', 'example.com,'],
    ['ERRAND_OIDC_NAME', ' '],
    ['ERRAND_OIDC_SIGN_UP', 'yes'],
    ['ERRAND_SESSION_HOURS', '0'],
  ] as const) {
    expect(() => readConfig({ ...right, [name]: value })).toThrow(new RegExp(`^${name}: `));
  }
  const { ERRAND_OIDC_ISSUER: issuer, ERRAND_OIDC_CLIENT_ID: clientId } = right;
  expect(() => readConfig({ ERRAND_OIDC_ISSUER: issuer })).toThrow(/^ERRAND_OIDC_CLIENT_ID: is needed/);
  expect(() => readConfig({ ERRAND_OIDC_CLIENT_ID: clientId })).toThrow(/^ERRAND_OIDC_ISSUER: is needed/);
  expect(() => readConfig({ ERRAND_PASSWORD_SIGN_IN: 'false' })).toThrow(/^ERRAND_OIDC_ISSUER: is needed/);
});
