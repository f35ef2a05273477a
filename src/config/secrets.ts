import { inspect } from 'node:util';
import { pickGiven } from './setting.ts';
import type { SettingName, SettingValues } from './settings.ts';

/** Settings that are secrets or may contain one: each can be read from a file, given by its name with `_FILE`. */
export const secretNames = [
  'ERRAND_DATABASE_URL',
  'ERRAND_DATABASE_POOL_URL',
  'ERRAND_S3_ACCESS_KEY_ID',
  'ERRAND_S3_SECRET_ACCESS_KEY',
  'ERRAND_BOOTSTRAP_KEY',
  'ERRAND_BOOTSTRAP_PASSWORD',
  'ERRAND_OIDC_CLIENT_SECRET',
  'ERRAND_SECRET',
  'ERRAND_SECRET_PREVIOUS',
  'ERRAND_BACKUP_PASSPHRASE',
  'ERRAND_MODEL_API_KEY',
  'ERRAND_SPEECH_API_KEY',
  'ERRAND_IMAGE_API_KEY',
  'ERRAND_SEARCH_API_KEY',
  'ERRAND_MAIL_SERVER',
  'ERRAND_TELEGRAM_BOT_TOKEN',
  'ERRAND_SLACK_BOT_TOKEN',
  'ERRAND_SLACK_APP_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'ERRAND_API_KEY',
] as const satisfies readonly SettingName[];

export interface SecretValues {
  /** ERRAND_DATABASE_URL, which may hold a password; null for the embedded database. */
  databaseUrl: string | null;
  /** ERRAND_DATABASE_POOL_URL, which leads to the same database through a pooler; null for none. */
  databasePoolUrl: string | null;
  /** The first account's API key, null for a random one. */
  bootstrapKey: string | null;
  bootstrapPassword: string | null;
  /** Encrypts signing keys and connector tokens at rest; null for the one stored in the data folder. */
  encryptionKey: string | null;
  /** The one before it, which still opens what it has sealed. */
  previousEncryptionKey: string | null;
  /** Encrypts backups; null for plain ones. */
  backupPassphrase: string | null;
  /** ERRAND_MODEL_API_KEY, and the variables of the providers' own tools. */
  models: Readonly<{ apiKey?: string; providerKeys: Readonly<Partial<Record<'openai' | 'anthropic' | 'google', string>>> }>;
  /** The SMTP server that takes mail of the service, with its password; null for none. */
  mailServer: string | null;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  oidcClientSecret: string | null;
  searchApiKey: string | null;
  speechApiKey: string | null;
  imageApiKey: string | null;
  telegramBotToken: string | null;
  slackBotToken: string | null;
  slackAppToken: string | null;
  /** Headers for the receiver of traces. */
  otlpHeaders: Readonly<Record<string, string>>;
  /** The key commands send to ERRAND_URL. */
  apiKey: string | null;
}

export interface Secrets extends SecretValues {
  toJSON(): string;
}

/** Secrets that are visible to code that names one, and to no log line, error report or JSON. */
export function hideSecrets(values: SecretValues): Secrets {
  const hide = { enumerable: false, value: () => '[hidden]' };
  return Object.freeze(Object.defineProperties({ ...values }, { toJSON: hide, [inspect.custom]: hide })) as Secrets;
}

/** The secrets of the settings, and those of the environment that the providers' own tools read. */
export function readSecrets(values: SettingValues, env: Readonly<Record<string, string | undefined>>): Secrets {
  return hideSecrets({
    databaseUrl: values.ERRAND_DATABASE_URL,
    databasePoolUrl: values.ERRAND_DATABASE_POOL_URL,
    bootstrapKey: values.ERRAND_BOOTSTRAP_KEY,
    bootstrapPassword: values.ERRAND_BOOTSTRAP_PASSWORD,
    encryptionKey: values.ERRAND_SECRET,
    previousEncryptionKey: values.ERRAND_SECRET_PREVIOUS,
    backupPassphrase: values.ERRAND_BACKUP_PASSPHRASE,
    models: Object.freeze({
      ...pickGiven({ apiKey: values.ERRAND_MODEL_API_KEY }),
      providerKeys: pickGiven({
        openai: env.OPENAI_API_KEY,
        anthropic: env.ANTHROPIC_API_KEY,
        google: env.GOOGLE_GENERATIVE_AI_API_KEY,
      }),
    }),
    mailServer: values.ERRAND_MAIL_SERVER,
    s3AccessKeyId: values.ERRAND_S3_ACCESS_KEY_ID,
    s3SecretAccessKey: values.ERRAND_S3_SECRET_ACCESS_KEY,
    apiKey: values.ERRAND_API_KEY,
    oidcClientSecret: values.ERRAND_OIDC_CLIENT_SECRET,
    searchApiKey: values.ERRAND_SEARCH_API_KEY,
    speechApiKey: values.ERRAND_SPEECH_API_KEY,
    imageApiKey: values.ERRAND_IMAGE_API_KEY,
    telegramBotToken: values.ERRAND_TELEGRAM_BOT_TOKEN,
    slackBotToken: values.ERRAND_SLACK_BOT_TOKEN,
    slackAppToken: values.ERRAND_SLACK_APP_TOKEN,
    otlpHeaders: values.OTEL_EXPORTER_OTLP_HEADERS,
  });
}
