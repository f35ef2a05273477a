import { inspect } from 'node:util';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { StartFault } from '@errand/base/start-fault.ts';
import { type Config, type Environment, readConfig } from './config.ts';
import { modelProviders } from './model-settings.ts';
import { type SettingName, settings } from './settings.ts';
import { usualCreditPlans } from '../rules/credits/credit-balance.ts';
import { providers } from '../models/providers/providers.ts';
import { anyCharacter } from '../../test/support/base/any-character.ts';

const names = Object.keys(settings) as SettingName[];

/** Other variables that a variable requires. */
const company: Environment = {
  ERRAND_DATABASE_URL: 'postgresql://errand:password@localhost/errand',
  ERRAND_SLACK_BOT_TOKEN: 'xoxb-some-token',
  ERRAND_SLACK_APP_TOKEN: 'xapp-some-token',
  ERRAND_MODEL_API_KEY: 'key',
  ERRAND_S3_ACCESS_KEY_ID: 'id',
  ERRAND_S3_SECRET_ACCESS_KEY: 'secret',
  ERRAND_MODEL_BASE_URL: 'http://127.0.0.1:1234/v1',
  ERRAND_SEARCH_URL: 'http://127.0.0.1:8888',
  ERRAND_SPEECH_API_KEY: 'key',
  ERRAND_IMAGE_API_KEY: 'key',
  ERRAND_OIDC_ISSUER: 'https://login.example.com',
  ERRAND_OIDC_CLIENT_ID: 'errand',
  ERRAND_SMTP_PORT: '2525',
  ERRAND_MAIL_DOMAIN: 'in.example.com',
  ERRAND_MAIL_SERVER: 'smtps://errand:secret@mail.example.com',
  ERRAND_MAIL_FROM: 'errand@example.com',
  ERRAND_SMTP_TLS_CERT: '/etc/mail/cert.pem',
  ERRAND_SMTP_TLS_KEY: '/etc/mail/key.pem',
};

function refusalOf(env: Environment): string {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(StartFault);
    return (error as StartFault).message;
  }
  return 'accepted';
}

describe('reading the configuration', () => {
  it('requires no variables', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 7070, contentPort: 7071, headerFamilies: ['service', 'manus'] });
    expect(config.models).toEqual({});
    expect(config.warnings).toEqual([]);
  });

  it.each(names)('accepts the example it gives for %s', (name) => {
    // The test mode wants no company.
    const beside = name === 'ERRAND_FIXED_TIME' ? { ERRAND_MODEL: 'offline/offline-1' } : company;
    expect(() => readConfig({ ...beside, [name]: settings[name].example })).not.toThrow();
  });

  it.each(names)('treats an empty %s as not set', (name) => {
    expect(JSON.stringify(readConfig({ [name]: '' }))).toBe(JSON.stringify(readConfig({})));
  });

  it('cannot be changed afterward', () => {
    const config = readConfig({});
    for (const part of [config, config.models, config.secrets, config.headerFamilies, config.blobs, config.outboundAllow]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each<[Environment, Partial<Config>]>([
    [{ ERRAND_PUBLIC_URL: 'https://errand.example.com/' }, { publicUrl: 'https://errand.example.com' }],
    [{ ERRAND_PUBLIC_URL: 'https://example.com/errand//' }, { publicUrl: 'https://example.com/errand' }],
    [{ ERRAND_CREDIT_PRICE: '0.5 EUR' }, { creditPrice: { micros: 500_000, currency: 'EUR' } }],
    [{ ERRAND_CREDIT_PLANS: '{"free":{"daily":7}}' }, { creditPlans: { ...usualCreditPlans, free: { monthly: 500, daily: 7 } } }],
    [{ ERRAND_PRICES: '{"service-1.6":{"input":1,"output":2}}' }, { prices: { 'service-1.6': { input: 1, output: 2 } } }],
    [{ ERRAND_API_ALIASES: 'service' }, { headerFamilies: ['service'] }],
    [{ ERRAND_API_ALIASES: 'manus, acme' }, { headerFamilies: ['service', 'manus', 'acme'] }],
    [{ ERRAND_BOOTSTRAP_EMAIL: 'Ann@Example.COM' }, { bootstrapEmail: 'ann@example.com' }],
    [
      { ERRAND_PACKAGE_REGISTRIES: 'pip=https://pypi.org/simple' },
      { packageRegistries: { pip: 'https://pypi.org/simple', npm: null } },
    ],
    [{ ERRAND_OUTBOUND_ALLOW: '10.0.0.0/8, fd00::/8' }, { outboundAllow: ['10.0.0.0/8', 'fd00::/8'] }],
    [{ ERRAND_TRUSTED_PROXIES: '127.0.0.1/32, fd00::/8' }, { trustedProxies: ['127.0.0.1/32', 'fd00::/8'] }],
    [
      { ERRAND_CORS_ORIGINS: 'https://App.example:443/, http://localhost:3000,https://app.example,tauri://localhost' },
      { corsOrigins: ['https://app.example', 'http://localhost:3000', 'tauri://localhost'] },
    ],
    [{ ERRAND_WEBHOOK_ALLOW_HTTP: 'true' }, { acceptsHttpWebhooks: true }],
    [{ ERRAND_RATE_LIMITS: '{"create":5}' }, { rateLimits: { create: 5 } }],
    [{ ERRAND_RATE_LIMITS: 'off' }, { rateLimits: 'off' }],
    [{ ERRAND_MODEL_MAX: 'ollama/qwen3:30b' }, { models: { modelMax: 'ollama/qwen3:30b' } }],
    [{ ERRAND_MODEL: 'ollama/a, lmstudio/b' }, { models: { model: 'ollama/a,lmstudio/b' } }],
    [
      { ERRAND_MODEL_EFFORT: 'low', ERRAND_MODEL_EFFORT_MAX: 'high', ERRAND_MODEL_PATIENCE_MINUTES_LITE: '0' },
      {
        models: {
          tuning: {
            'service-1.6': { effort: 'low' },
            'service-1.6-lite': { effort: 'low', patienceMs: 0 },
            'service-1.6-max': { effort: 'high' },
          },
        },
      },
    ],
    [
      {
        ERRAND_MODEL_SEES: 'true,false',
        ERRAND_MODEL_FIRST_BYTE_SECONDS: '300',
        ERRAND_MODEL_IDLE_SECONDS_MAX: '5',
        ERRAND_MODEL_WINDOW: '9000',
      },
      {
        models: {
          tuning: {
            'service-1.6': { sees: [true, false], firstByteMs: 300_000, window: 9000 },
            'service-1.6-lite': { sees: [true, false] },
            'service-1.6-max': { idleMs: 5000 },
          },
        },
      },
    ],
    [{ OTEL_SERVICE_NAME: 'unused' }, { tracing: null }],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=hidden',
        OTEL_SERVICE_NAME: 'errand-test',
      },
      {
        tracing: {
          endpoint: 'http://collector:4318',
          hasContent: false,
          resource: { 'deployment.environment.name': 'test', 'service.name': 'errand-test' },
        },
      },
    ],
    [{ ERRAND_HOST: '::1' }, { host: '::1' }],
    [{ ERRAND_PORT: '0' }, { port: 0 }],
    [
      { ...company, ERRAND_BLOBS: 's3://files?endpoint=https://s3.example.com/&region=eu-1' },
      { blobs: { kind: 's3', bucket: 'files', endpoint: 'https://s3.example.com', region: 'eu-1' } },
    ],
  ])('understands %j', (env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });
});

describe('an invalid value', () => {
  it.each<Environment>([
    { ERRAND_PORT: '65536' },
    { ERRAND_PORT: '-1' },
    { ERRAND_PORT: '70.0' },
    { ERRAND_PORT: '0x10' },
    { ERRAND_PORT: ' 80' },
    { ERRAND_CONTENT_PORT: 'any' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'authorization' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%0d%0ab: c' },
    { OTEL_EXPORTER_OTLP_HEADERS: 'a=%zz' },
    { OTEL_RESOURCE_ATTRIBUTES: '=x' },
    { OTEL_RESOURCE_ATTRIBUTES: `${'a=b,'.repeat(100)}a=b` },
    { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'yes' },
    { ERRAND_HOST: 'http://localhost' },
    { ERRAND_HOST: 'localhost:7070' },
    { ERRAND_HOST: '127.0.1' },
    { ERRAND_PUBLIC_URL: 'errand.example.com' },
    { ERRAND_PUBLIC_URL: 'ftp://example.com' },
    { ERRAND_PUBLIC_URL: 'https://user:pass@example.com' },
    { ERRAND_PUBLIC_URL: 'https://example.com?x=1' },
    { ERRAND_DATABASE_URL: 'mysql://localhost/errand' },
    { ERRAND_BLOBS: 's3://files' },
    { ERRAND_BLOBS: '/var/files' },
    { ERRAND_BOOTSTRAP_KEY: 'sk-short' },
    { ERRAND_BOOTSTRAP_KEY: 'pk-0123456789012345678901234567' },
    { ERRAND_BOOTSTRAP_KEY: 'sk-with a space 0123456789012345678' },
    { ERRAND_BOOTSTRAP_EMAIL: 'nobody' },
    { ERRAND_MODEL: 'gpt-5' },
    { ERRAND_MODEL: 'acme/one' },
    { ERRAND_MODEL: 'offline/offline-2' },
    { ERRAND_MODEL: 'constructor/x' },
    { ERRAND_WORKER_CONCURRENCY: '0' },
    { ERRAND_OUTBOUND_ALLOW: '10.0.0.1' },
    { ERRAND_OUTBOUND_ALLOW: '10.0.0.0/8,' },
    { ERRAND_OUTBOUND_ALLOW: '10.0.0.0/33' },
    { ERRAND_TRUSTED_PROXIES: '127.0.0.1' },
    { ERRAND_TRUSTED_PROXIES: 'true' },
    { ERRAND_CORS_ORIGINS: '*' },
    { ERRAND_CORS_ORIGINS: 'https://*.example' },
    { ERRAND_CORS_ORIGINS: 'app.example' },
    { ERRAND_CORS_ORIGINS: 'https://app.example/path' },
    { ERRAND_CORS_ORIGINS: 'https://me@app.example' },
    { ERRAND_CORS_ORIGINS: 'https://app.example?x' },
    { ERRAND_CORS_ORIGINS: 'null' },
    { ERRAND_CORS_ORIGINS: 'app://name/path' },
    { ERRAND_CORS_ORIGINS: 'javascript://x' },
    { ERRAND_CORS_ORIGINS: 'https://app.example,' },
    { ERRAND_CORS_ORIGINS: 'ftp://app.example' },
    { ERRAND_WEBHOOK_ALLOW_HTTP: 'yes' },
    { ERRAND_RATE_LIMITS: '{"create":0}' },
    { ERRAND_RATE_LIMITS: '{"creates":1}' },
    { ERRAND_RATE_LIMITS: '60' },
    { ERRAND_CREDITS: 'none' },
    { ERRAND_CREDIT_PLANS: '{"gold":{"daily":7}}' },
    { ERRAND_CREDIT_PLANS: '{"free":{"daily":-1}}' },
    { ERRAND_PRICES: '{"service-1.6":{"input":1}}' },
    { ERRAND_PRICES: '{"service-2":{"input":1,"output":1}}' },
    { ERRAND_PRICES: 'cheap' },
    { ERRAND_API_ALIASES: 'Manus' },
    { ERRAND_LOG: 'loud' },
    { ERRAND_LEASE_TTL_MS: '10' },
    { ERRAND_PACKAGE_REGISTRIES: 'https://pypi.org/simple' },
    { ERRAND_PACKAGE_REGISTRIES: 'pip=ftp://pypi.org' },
    { ERRAND_PACKAGE_REGISTRIES: 'pip=https://me:secret@pypi.org' },
    { ERRAND_PACKAGE_REGISTRIES: 'npm=https://a.example,npm=https://b.example' },
    { ERRAND_DRAIN_SECONDS: '-1' },
    { ERRAND_DRAIN_SECONDS: '3601' },
  ])('is rejected by name: %j', (env) => {
    const [name] = Object.keys(env);
    expect(refusalOf(env)).toMatch(new RegExp(`^${name}: .+; for example ${name}=.+$`));
  });

  it('is reported in one line that never repeats it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.string({ minLength: 6, unit: anyCharacter }), (name, noise) => {
        const text = `canary${noise}`;
        const message = refusalOf({ ...company, [name]: text });
        expect(message).not.toContain(text);
        expect(message).not.toMatch(/[\r\n]/);
      }),
    );
  });

  it('is rejected if it requires another that is missing', () => {
    expect(refusalOf({ ERRAND_MODEL: 'compatible/some-model' })).toMatch(/^ERRAND_MODEL_BASE_URL: is needed by ERRAND_MODEL=/);
    expect(refusalOf({ ERRAND_MODEL_LITE: 'openai/gpt-5-mini' })).toMatch(/^ERRAND_MODEL_API_KEY: .*OPENAI_API_KEY/);
    expect(refusalOf({ ERRAND_MODEL_LITE: 'openai/gpt-5-mini', OPENAI_API_KEY: 'key' })).toBe('accepted');
    expect(refusalOf({ ERRAND_BLOBS: 's3://files?endpoint=https://s3.example.com' })).toMatch(/^ERRAND_S3_ACCESS_KEY_ID: /);
  });
});

describe('secrets', () => {
  const env = {
    ERRAND_DATABASE_URL: 'postgresql://errand:canary@localhost/errand',
    ERRAND_BOOTSTRAP_KEY: 'sk-canary-0123456789abcdef',
    ERRAND_BOOTSTRAP_PASSWORD: 'canary-password',
    ERRAND_SECRET: 'canary-canary-canary',
    ERRAND_MODEL_API_KEY: 'canary',
    ERRAND_S3_ACCESS_KEY_ID: 'canary',
    ERRAND_S3_SECRET_ACCESS_KEY: 'canary',
    ERRAND_API_KEY: 'canary',
    OPENAI_API_KEY: 'canary',
  };

  it('are readable by name', () => {
    expect(readConfig(env).secrets.databaseUrl).toBe(env.ERRAND_DATABASE_URL);
    expect(readConfig(env).secrets.models.providerKeys.openai).toBe('canary');
  });

  it('appear neither in JSON nor in a log line nor when inspected', () => {
    const config = readConfig(env);
    const lines: string[] = [];
    pino({}, { write: (line) => void lines.push(line) }).info({ config, secrets: config.secrets }, 'started');
    const shown = [
      JSON.stringify(config),
      JSON.stringify({ ...config }),
      inspect(config, { depth: 9, showHidden: true }),
      ...lines,
    ];
    expect(shown.join('\n')).not.toContain('canary');
  });
});

describe('warnings', () => {
  it('suggest the setting that was probably meant', () => {
    expect(readConfig({ ERRAND_MODLE: 'openai/gpt-5' }).warnings).toEqual([
      'ERRAND_MODLE is not a setting; did you mean ERRAND_MODEL?',
    ]);
    expect(readConfig({ ERRAND_QQ: '1' }).warnings).toEqual(['ERRAND_QQ is not a setting']);
  });

  it('are not given for variables of other programs', () => {
    expect(readConfig({ ERRAND_TEST_DATABASE_URL: 'x', PATH: '/bin', OPENAI_API_KEY: 'x' }).warnings).toEqual([]);
  });
});

it('the allowed provider names are the existing ones', () => {
  expect(Object.keys(modelProviders).toSorted()).toEqual([...Object.keys(providers), 'offline'].toSorted());
  for (const [name, provider] of Object.entries(providers)) {
    const keyVariable = 'keyVariable' in provider ? provider.keyVariable : undefined;
    expect(modelProviders[name as keyof typeof modelProviders]).toMatchObject(keyVariable === undefined ? {} : { keyVariable });
  }
});

it('reads headers for the receiver of traces as OpenTelemetry writes them', () => {
  const { secrets } = readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = one' });
  expect(secrets.otlpHeaders).toEqual({ authorization: 'Bearer a,b', 'x-tenant': 'one' });
  expect(JSON.stringify(secrets)).not.toContain('Bearer');
});
