import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it('no mail is received unless a port and a domain are given', () => {
  expect(readConfig({}).mail).toBeNull();
  const env = { ERRAND_HOST: '0.0.0.0', ERRAND_SMTP_PORT: '2525', ERRAND_MAIL_DOMAIN: 'In.Example.com', ERRAND_MAIL_MAX_MB: '2' };
  expect(readConfig(env).mail).toEqual({
    ...{ host: '0.0.0.0', port: 2525, domain: 'in.example.com', maxBytes: 2 * 1024 * 1024, tls: null },
  });
  expect(readConfig({ ...env, ERRAND_SMTP_HOST: '127.0.0.1' }).mail?.host).toBe('127.0.0.1');
});

it.each([
  [{ ERRAND_SMTP_PORT: '25' }, 'ERRAND_MAIL_DOMAIN: is needed by ERRAND_SMTP_PORT'],
  [{ ERRAND_MAIL_DOMAIN: 'in.example.com' }, 'ERRAND_SMTP_PORT: is needed by ERRAND_MAIL_DOMAIN'],
  [{ ERRAND_SMTP_TLS_CERT: '/a.pem' }, 'ERRAND_SMTP_TLS_KEY: is needed by ERRAND_SMTP_TLS_CERT'],
  [{ ERRAND_SMTP_PORT: '25', ERRAND_MAIL_DOMAIN: 'ann@example.com' }, 'ERRAND_MAIL_DOMAIN: must be a domain'],
  [{ ERRAND_SMTP_PORT: '25', ERRAND_MAIL_DOMAIN: 'localhost' }, 'ERRAND_MAIL_DOMAIN: must be a domain'],
])('the service does not start with %j', (env, problem) => {
  expect(() => readConfig(env)).toThrow(problem);
});
