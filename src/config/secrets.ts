import { inspect } from 'node:util';

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
