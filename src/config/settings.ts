import { logLevels } from '@errand/base/log.ts';
import { type CreditPlans, usualCreditPlans } from '../rules/credits/credit-balance.ts';
import { readBlobPlace } from './blob-settings.ts';
import type { EgressPolicy } from '../rules/egress/egress-policy.ts';
import { readEgressPolicy } from './egress-settings.ts';
import { offlineModel, readModelName } from './model-settings.ts';
import { bridgeSettings } from './bridge-settings.ts';
import { budgetSettings } from './budget-settings.ts';
import { readCreditPlans } from './credit-settings.ts';
import { type ModelPrices, readPrices } from './price-settings.ts';
import { readRateLimits } from './rate-limit-settings.ts';
import {
  readAddressBlocks,
  readApiKey,
  readChoiceSetting,
  readDatabaseAddress,
  readEmailSetting,
  readFlag,
  readHost,
  readInteger,
  readNames,
  readSecret,
  readWebAddress,
} from './setting-readers.ts';
import { searchSettings } from './search-settings.ts';
import { type Setting, setting, WrongValue } from './setting.ts';
import { speechSettings } from './speech-settings.ts';
import { ssoSettings } from './sso-settings.ts';

const readPort = readInteger(0, 65_535);

function readPath(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new WrongValue('must not contain control characters');
  return text;
}

function modelSetting(about: string, fallbackText: string) {
  return setting<string | null>({
    about,
    fallback: null,
    fallbackText,
    example: 'anthropic/claude-sonnet-5',
    read: readModelName,
  });
}

function secretSetting(about: string, shortest: number, example: string, isPending = false) {
  return setting<string | null>({ about, fallback: null, example, isPending, read: readSecret(shortest) });
}

/** Every variable that is read, in the order in which people look for them. */
export const settings = {
  ERRAND_HOST: setting({
    about: 'Address on which the API and the web application listen.',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
    read: readHost,
  }),
  ERRAND_PORT: setting({
    about: 'Port of the API and the web application; 0 takes any free one.',
    fallback: 7070,
    example: '7070',
    read: readPort,
  }),
  ERRAND_CONTENT_PORT: setting<number | null>({
    about: 'Port of the content origin, which serves what agents made; 0 takes any free one.',
    fallback: null,
    fallbackText: '7071; any free one with ERRAND_PORT=0',
    example: '7071',
    read: readPort,
  }),
  ERRAND_PUBLIC_URL: setting<string | null>({
    about: 'Address under which clients see the service, for example behind a proxy.',
    fallback: null,
    fallbackText: 'from host and port',
    example: 'https://errand.example.com',
    read: readWebAddress,
  }),
  ERRAND_CONTENT_URL: setting<string | null>({
    about: 'Address under which clients see the content origin.',
    fallback: null,
    fallbackText: 'from host and content port',
    example: 'https://errand-content.example.com',
    read: readWebAddress,
  }),
  ERRAND_TRUSTED_PROXIES: setting<readonly string[]>({
    about: 'Comma-separated CIDR blocks of proxies in front, whose X-Forwarded-For tells where requests come from.',
    fallback: [],
    fallbackText: 'none',
    example: '127.0.0.1/32,10.0.0.0/8',
    read: readAddressBlocks,
  }),
  ERRAND_DATA_DIR: setting({
    about: 'Folder of the embedded database, files and workspaces.',
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
  ERRAND_BLOBS: setting<ReturnType<typeof readBlobPlace>>({
    about: 'Where files are kept: `disk` (the data folder), or a bucket as `s3://bucket?endpoint=address&region=name`.',
    fallback: { kind: 'disk' },
    fallbackText: 'disk',
    example: 's3://errand?endpoint=https://s3.example.com',
    read: readBlobPlace,
  }),
  ERRAND_S3_ACCESS_KEY_ID: secretSetting('Key id for the bucket.', 1, 'AKEXAMPLE'),
  ERRAND_S3_SECRET_ACCESS_KEY: secretSetting('Secret key for the bucket.', 1, 'wJalrEXAMPLEKEY'),
  ERRAND_BOOTSTRAP_KEY: setting<string | null>({
    about: "The first account's API key, taken over on the first start.",
    fallback: null,
    fallbackText: 'random, printed once',
    example: 'sk-choose-a-long-random-text',
    read: readApiKey,
  }),
  ERRAND_BOOTSTRAP_EMAIL: setting({
    about: "The first account's e-mail address.",
    fallback: 'owner@localhost',
    example: 'you@example.com',
    read: readEmailSetting,
  }),
  ERRAND_BOOTSTRAP_PASSWORD: secretSetting("The first account's password, with which its user signs in.", 8, 'a-long-password'),
  ...ssoSettings,
  ERRAND_SECRET: {
    ...secretSetting('Key that encrypts signing keys and connector tokens at rest.', 16, 'thirty-two-random-characters-or-so'),
    fallbackText: 'made and kept in the data folder',
  },
  ERRAND_MODEL: modelSetting(
    'Model of the standard profile, as `provider/model`.',
    `Ollama or LM Studio where found, else \`${offlineModel}\``,
  ),
  ERRAND_MODEL_LITE: modelSetting('Model of the lite profile.', 'that of the standard profile'),
  ERRAND_MODEL_MAX: modelSetting('Model of the max profile.', 'that of the standard profile'),
  ERRAND_MODEL_BASE_URL: setting<string | null>({
    about: "Address of the provider's API: needed by `compatible`, and in place of their own for the others.",
    fallback: null,
    fallbackText: "the provider's own",
    example: 'https://models.example.com/v1',
    read: readWebAddress,
  }),
  ERRAND_MODEL_API_KEY: {
    ...secretSetting("Key for the provider's API.", 1, 'key-of-the-provider'),
    fallbackText: 'OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY',
  },
  ERRAND_MODEL_WINDOW: setting<number | null>({
    about:
      'Tokens that a prompt and its reply may take together, for all models; needed where a model has less than its name tells.',
    fallback: null,
    fallbackText: "by the model's name: 32000 for local models, 128000 for unknown ones",
    example: '32000',
    read: readInteger(4_000, 100_000_000),
  }),
  ...speechSettings,
  ...budgetSettings,
  ERRAND_WORKER_CONCURRENCY: setting({
    about: 'Tasks that one worker process drives at once.',
    fallback: 200,
    example: '200',
    read: readInteger(1, 100_000),
  }),
  ERRAND_LEASE_TTL_MS: setting({
    about:
      'Advanced: milliseconds after which the task of a worker that died is taken over by another; the same for all processes.',
    fallback: 15_000,
    example: '15000',
    read: readInteger(1_000, 600_000),
  }),
  ERRAND_OUTBOUND_ALLOW: setting<readonly string[]>({
    about: 'Comma-separated CIDR blocks that outbound requests may reach although they are not public.',
    fallback: [],
    fallbackText: 'none',
    example: '10.0.0.0/8,fd00::/8',
    read: readAddressBlocks,
  }),
  ERRAND_WEBHOOK_ALLOW_HTTP: setting({
    about: 'Accepts webhook addresses that begin with `http:`.',
    fallback: false,
    example: 'true',
    read: readFlag,
  }),
  ERRAND_SANDBOX_EGRESS: setting<EgressPolicy>({
    about:
      'What commands of agents may reach: `none`, `public`, or a comma-separated list of hosts; `*.` stands for all names below one.',
    fallback: { kind: 'none' },
    fallbackText: 'none',
    example: 'pypi.org,files.pythonhosted.org,registry.npmjs.org',
    read: readEgressPolicy,
  }),
  ...searchSettings,
  ...bridgeSettings,
  ERRAND_RATE_LIMITS: setting<ReturnType<typeof readRateLimits>>({
    about: '`on`, `off`, or a JSON object that gives classes of requests (create, read, write, token) a number a minute.',
    fallback: 'on',
    example: '{"create":60,"read":600}',
    read: readRateLimits,
  }),
  ERRAND_CREDITS: setting<'unlimited' | 'enforced'>({
    about: '`unlimited` meters what tasks cost, `enforced` also refuses new work without credits.',
    fallback: 'unlimited',
    example: 'enforced',
    read: readChoiceSetting(['unlimited', 'enforced']),
  }),
  ERRAND_CREDIT_PLANS: setting<CreditPlans>({
    about: 'What plans fill up to at the first of each month and every midnight UTC, as JSON; what is left out stays as it is.',
    fallback: usualCreditPlans,
    fallbackText: `\`${JSON.stringify(usualCreditPlans)}\``,
    example: '{"free":{"monthly":1000,"daily":0}}',
    read: readCreditPlans,
  }),
  ERRAND_PRICES: setting<ModelPrices>({
    about:
      'Credits for a million tokens of each profile, as JSON with `input`, `output` and, if they differ, `cached` and `written`.',
    fallback: {},
    fallbackText: "by the model's name; local models and `offline-1` cost one credit a session",
    example: '{"service-1.6":{"input":300,"output":1500,"cached":30}}',
    read: readPrices,
  }),
  ERRAND_API_ALIASES: setting<readonly string[]>({
    about: 'Names of header and profile families that are accepted beside `service`; `service` alone accepts no other.',
    fallback: ['manus'],
    fallbackText: 'manus',
    example: 'manus',
    read: readNames,
  }),
  ERRAND_LOG: setting<(typeof logLevels)[number]>({
    about: `What is logged: ${logLevels.join(', ')}.`,
    fallback: 'info',
    example: 'debug',
    read: readChoiceSetting(logLevels),
  }),
  ERRAND_URL: setting<string | null>({
    about: 'For commands: address of the service to talk to instead of the data folder.',
    fallback: null,
    example: 'https://errand.example.com',
    read: readWebAddress,
  }),
  ERRAND_API_KEY: secretSetting('For commands: API key for the service at ERRAND_URL.', 1, 'sk-the-key-of-your-account'),
};

export type SettingName = keyof typeof settings;

export type SettingValues = { [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never };
