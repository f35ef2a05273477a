import { logLevels } from '@errand/base/log.ts';
import { type CreditPlans, usualCreditPlans } from '../rules/credits/credit-balance.ts';
import { type CreditPrice, usualCreditPrice } from '../rules/credits/credit-price.ts';
import { addressSettings, fixedTimeSettings } from './address-settings.ts';
import { readBlobPlace } from './blob-settings.ts';
import { egressSettings } from './egress-settings.ts';
import { bridgeSettings } from './bridge-settings.ts';
import { turnLimitSettings } from './turn-limit-settings.ts';
import { readCreditPlans, readCreditPrice } from './credit-settings.ts';
import { mailSettings } from './mail-settings.ts';
import { type ModelPrices, readPrices } from './price-settings.ts';
import { profileSettings } from './profile-settings.ts';
import { readRateLimits } from './rate-limit-settings.ts';
import {
  readAddressBlocks,
  readApiKey,
  readChoiceSetting,
  readDatabaseAddress,
  readEmailSetting,
  readFlag,
  readInteger,
  readNames,
  readPairs,
  readSecret,
  readWebAddress,
} from './setting-readers.ts';
import { searchSettings } from './search-settings.ts';
import { type Setting, setting, WrongValue } from './setting.ts';
import { imageSettings, speechSettings } from './side-model-settings.ts';
import { storageSettings } from './storage-settings.ts';
import { ssoSettings } from './sso-settings.ts';
import { tracingSettings } from './tracing-settings.ts';

function readPath(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new WrongValue('must not contain control characters');
  return text;
}

/** Watch roots as absolute paths by name. Whether a folder exists is only checked when it is read, so it may be mounted later. */
function readWatchRoots(text: string): Readonly<Record<string, string>> {
  return readPairs(text, /^[a-z][a-z0-9-]{0,31}$/, /^\/[^\p{Cc}]*$/u);
}

function secretSetting(about: string, shortest: number, example: string) {
  return setting<string | null>({ about, fallback: null, example, read: readSecret(shortest) });
}

/** All variables, in the order in which people look for them. */
export const settings = {
  ERRAND_CONFIG: setting<string | null>({
    about: 'File with further settings, `NAME=value` on each line; what the environment sets counts more.',
    fallback: null,
    example: '/etc/errand/errand.conf',
    read: readPath,
  }),
  ...addressSettings,
  ERRAND_DATA_DIR: setting({
    about: 'Folder for the embedded database, files, and workspaces.',
    fallback: './.errand',
    example: '/var/lib/errand',
    read: readPath,
  }),
  ERRAND_DATABASE_URL: setting<string | null>({
    about: 'PostgreSQL database to use instead of the embedded one.',
    fallback: null,
    example: 'postgresql://errand:password@localhost/errand',
    read: readDatabaseAddress,
  }),
  ERRAND_DATABASE_POOL_URL: setting<string | null>({
    about: 'The same database through a pooler such as PgBouncer in transaction mode, for all statements that need no session.',
    fallback: null,
    example: 'postgresql://errand:password@localhost:6432/errand',
    read: readDatabaseAddress,
  }),
  ERRAND_BLOBS: setting<ReturnType<typeof readBlobPlace>>({
    about: 'Where to store files: `disk` (the data folder) or a bucket, `s3://bucket?endpoint=url&region=name`.',
    fallback: { kind: 'disk' },
    fallbackText: 'disk',
    example: 's3://errand?endpoint=https://s3.example.com',
    read: readBlobPlace,
  }),
  ERRAND_S3_ACCESS_KEY_ID: secretSetting('Access key ID for the bucket.', 1, 'AKEXAMPLE'),
  ERRAND_S3_SECRET_ACCESS_KEY: secretSetting('Secret access key for the bucket.', 1, 'wJalrEXAMPLEKEY'),
  ERRAND_BOOTSTRAP_KEY: setting<string | null>({
    about: 'API key of the first account, set on the first start.',
    fallback: null,
    fallbackText: 'random, printed once',
    example: 'sk-choose-a-long-random-text',
    read: readApiKey,
  }),
  ERRAND_BOOTSTRAP_EMAIL: setting({
    about: 'E-mail address of the first account.',
    fallback: 'owner@localhost',
    example: 'you@example.com',
    read: readEmailSetting,
  }),
  ERRAND_BOOTSTRAP_PASSWORD: secretSetting('Password of the first account.', 8, 'a-long-password'),
  ...ssoSettings,
  ERRAND_SECRET: {
    ...secretSetting('Key that encrypts signing keys and connector tokens at rest.', 16, 'thirty-two-random-characters-or-so'),
    fallbackText: 'generated and stored in the data folder',
  },
  ERRAND_SECRET_PREVIOUS: secretSetting(
    'The secret before ERRAND_SECRET, which still opens what it has encrypted.',
    16,
    'thirty-two-random-characters-of-before',
  ),
  ERRAND_BACKUP_PASSPHRASE: secretSetting('Passphrase that encrypts backups.', 12, 'six words that nobody would guess'),
  ...profileSettings,
  ERRAND_MODEL_BASE_URL: setting<string | null>({
    about: "Base URL of the provider's API; required for `compatible`, overrides the default of other providers.",
    fallback: null,
    fallbackText: "the provider's own",
    example: 'https://models.example.com/v1',
    read: readWebAddress,
  }),
  ERRAND_MODEL_API_KEY: {
    ...secretSetting('API key for the provider.', 1, 'key-of-the-provider'),
    fallbackText: 'OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY',
  },
  ...speechSettings,
  ...imageSettings,
  ...turnLimitSettings,
  ...storageSettings,
  ERRAND_WORKER_CONCURRENCY: setting({
    about: 'How many tasks a worker process holds at once, at most; nearly all of them wait for models.',
    fallback: 5000,
    example: '5000',
    read: readInteger(1, 100_000),
  }),
  ERRAND_WORKER_TOOL_CALLS: setting({
    about: 'How many tool calls a worker process runs at once, at most; others wait their turn, shared between accounts.',
    fallback: 200,
    example: '200',
    read: readInteger(1, 100_000),
  }),
  ERRAND_ACCOUNT_RUNNING_TASKS: setting<number | null>({
    about: 'Maximum concurrent tasks of each account on all workers together; must be the same in all processes.',
    fallback: null,
    fallbackText: 'no limit',
    example: '50',
    read: readInteger(1, 1_000_000),
  }),
  ERRAND_DRAIN_SECONDS: setting({
    about: 'Seconds that requests, steps, and webhook attempts in progress may take when the service stops.',
    fallback: 8,
    example: '30',
    read: readInteger(0, 3600),
  }),
  ERRAND_LEASE_TTL_MS: setting({
    about:
      'Advanced: milliseconds until another worker takes over the tasks of a crashed one; must be the same in all processes.',
    fallback: 15_000,
    example: '15000',
    read: readInteger(1_000, 600_000),
  }),
  ERRAND_OUTBOUND_ALLOW: setting<readonly string[]>({
    about: 'Comma-separated CIDR blocks of private addresses that outbound requests may reach.',
    fallback: [],
    fallbackText: 'none',
    example: '10.0.0.0/8,fd00::/8',
    read: readAddressBlocks,
  }),
  ERRAND_WEBHOOK_ALLOW_HTTP: setting({
    about: 'Allow webhook URLs that start with `http:`.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
  ...egressSettings,
  ...searchSettings,
  ...bridgeSettings,
  ...mailSettings,
  ERRAND_WATCH_ROOTS: setting<Readonly<Record<string, string>>>({
    about:
      'Folders of the server that triggers may watch, as comma-separated `name=path` pairs; `{account}` is the ID of the account.',
    fallback: {},
    fallbackText: 'none: no folder is watched',
    example: 'drop=/srv/drop/{account}',
    read: readWatchRoots,
  }),
  ERRAND_RATE_LIMITS: setting<ReturnType<typeof readRateLimits>>({
    about: '`on`, `off`, or a JSON object of requests per minute by class (create, read, write, token, trigger).',
    fallback: 'on',
    example: '{"create":60,"read":600}',
    read: readRateLimits,
  }),
  ERRAND_CREDITS: setting<'unlimited' | 'enforced'>({
    about: '`unlimited` only meters the cost of tasks; `enforced` also rejects new work without credits.',
    fallback: 'unlimited',
    example: 'enforced',
    read: readChoiceSetting(['unlimited', 'enforced']),
  }),
  ERRAND_CREDIT_PLANS: setting<CreditPlans>({
    about:
      'Balance that each plan tops up to on the first of the month and daily at midnight UTC, as JSON; omitted values keep their defaults.',
    fallback: usualCreditPlans,
    fallbackText: `\`${JSON.stringify(usualCreditPlans)}\``,
    example: '{"free":{"monthly":1000,"daily":0}}',
    read: readCreditPlans,
  }),
  ERRAND_CREDIT_PRICE: setting<CreditPrice>({
    about: 'What a credit is worth, as an amount and a currency: budgets can be set and are shown in money.',
    fallback: usualCreditPrice,
    fallbackText: '`0.01 USD`',
    example: '0.009 EUR',
    read: readCreditPrice,
  }),
  ERRAND_PRICES: setting<ModelPrices>({
    about:
      'Credits per million tokens by profile or model, as JSON with `input`, `output` and, if different, `cached` and `written`.',
    fallback: {},
    fallbackText: "by the model's name; local models and `offline-1` cost one credit per session",
    example: '{"service-1.6":{"input":300,"output":1500,"cached":30}}',
    read: readPrices,
  }),
  ERRAND_API_ALIASES: setting<readonly string[]>({
    about: 'Header and profile name families accepted besides `service`; set to `service` to accept no others.',
    fallback: ['manus'],
    fallbackText: 'manus',
    example: 'manus',
    read: readNames,
  }),
  ...tracingSettings,
  ERRAND_LOG: setting<(typeof logLevels)[number]>({
    about: `Log level: ${logLevels.join(', ')}.`,
    fallback: 'info',
    example: 'debug',
    read: readChoiceSetting(logLevels),
  }),
  ...fixedTimeSettings,
  ERRAND_URL: setting<string | null>({
    about: 'For commands: URL of the service to use instead of the data folder.',
    fallback: null,
    example: 'https://errand.example.com',
    read: readWebAddress,
  }),
  ERRAND_API_KEY: secretSetting('For commands: API key for the service at ERRAND_URL.', 1, 'sk-the-key-of-your-account'),
};

export type SettingName = keyof typeof settings;

export type SettingValues = { [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never };
