import { resolve } from 'node:path';
import { StartFault } from '@errand/base/start-fault.ts';
import { type FixedTime, findFixedTimeTrouble } from './address-settings.ts';
import { findHalfSlack } from './bridge-settings.ts';
import type { BlobPlace } from './blob-settings.ts';
import { findHalfMail, type MailSettings, readMailSettings } from './mail-settings.ts';
import { findModelTrouble } from './model-trouble.ts';
import { readTurnLimits } from './turn-limit-settings.ts';
import type { ModelPrices } from './price-settings.ts';
import { readTuning } from './profile-settings.ts';
import type { RateLimits } from './rate-limit-settings.ts';
import { findHalfSearch } from './search-settings.ts';
import { hideSecrets, type Secrets } from './secrets.ts';
import { findWarnings } from './setting-warnings.ts';
import { WrongValue } from './setting.ts';
import { readKeeping, readStorageLimits } from './storage-settings.ts';
import { readTracing, type TracingSettings } from './tracing-settings.ts';
import { findSsoTrouble, readSso, type SsoSettings } from './sso-settings.ts';
import type { CreditPrice } from '../rules/credits/credit-price.ts';
import type { CreditPlans } from '../rules/credits/credit-balance.ts';
import type { StorageLimits } from '../rules/files/storage-quota.ts';
import type { TurnLimits } from '../rules/tasks/turn-limits.ts';
import type { EgressPolicy } from '../rules/egress/egress-policy.ts';
import type { PackageRegistries } from '../rules/egress/package-registries.ts';
import { findUserFolder } from './user-folder.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';

const usualContentPort = 7071;

/** The environment as passed to `main`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All validated settings; `config/settings` describes each. */
export interface Config extends FixedTime {
  host: string;
  port: number;
  contentPort: number;
  /** Monitoring port of a process with role `worker`, or of one of several processes; null for none, 0 for any free port. */
  monitoringPort: number | null;
  /** Whether other processes of the same service listen on the same ports. */
  sharesPorts: boolean;
  /** Public URL without a trailing slash; null if derived from host and port. */
  publicUrl: string | null;
  contentUrl: string | null;
  previewUrl: string | null;
  /** CIDR blocks. */
  trustedProxies: readonly string[];
  /** Origins whose pages may call the API. */
  corsOrigins: readonly string[];
  /** Absolute. */
  dataDir: string;
  blobs: BlobPlace;
  bootstrapEmail: string;
  /** The identity provider for sign-in; null for none. */
  sso: SsoSettings | null;
  acceptsPasswords: boolean;
  /** Whether team invitations of all users make accounts. */
  hasTeamSignUp: boolean;
  /** How long a browser session lasts. */
  sessionMs: number;
  /** The models of each profile, separated by commas, how they are used, and the provider's URL, as far as set. */
  models: { model?: string; modelLite?: string; modelMax?: string; baseUrl?: string } & ReturnType<typeof readTuning>;
  /** Speech settings, as set. */
  speech: { model: string | null; baseUrl: string | null };
  /** Settings for pictures, as set; the price in credits. */
  images: { model: string | null; baseUrl: string | null; price: number | null };
  workerConcurrency: number;
  workerToolCalls: number;
  /** Default limit of running tasks per account; null for any number. */
  accountRunningTasks: number | null;
  turnLimits: TurnLimits;
  storage: StorageLimits;
  /** The folder that the write-ahead log of the embedded database is copied to; null for none. */
  walTarget: string | null;
  /** How long tasks are kept after their end; null forever. */
  retentionMs: number | null;
  drainMs: number;
  leaseTtlMs: number;
  outboundAllow: readonly string[];
  sandboxEgress: EgressPolicy;
  packageRegistries: PackageRegistries;
  /** Null if agents cannot search the web. */
  search: { kind: 'searxng' | 'brave' | 'tavily'; url: string | null } | null;
  acceptsHttpWebhooks: boolean;
  /** API URLs of the chat platforms. */
  bridges: { telegramUrl: string; slackUrl: string };
  /** How mail reaches triggers; null if none does. */
  mail: MailSettings | null;
  /** Folders of the server that triggers may watch, by the operator's names for them. */
  watchRoots: Readonly<Record<string, string>>;
  /** How mail is sent; null if none is. */
  outgoingMail: { from: string } | null;
  rateLimits: RateLimits;
  credits: 'unlimited' | 'enforced';
  creditPlans: CreditPlans;
  creditPrice: CreditPrice;
  /** Prices of profiles that have their own. */
  prices: ModelPrices;
  /** Families of headers and profiles: `service` and its aliases. */
  headerFamilies: readonly string[];
  /** Where traces are exported; null if none are. */
  tracing: TracingSettings | null;
  logLevel: string;
  /** URL of the service for commands, null for the data folder or the database. */
  serviceUrl: string | null;
  /** Folder for the user's own settings; null if the environment names no home. */
  userFolder: string | null;
  /** One sentence for each variable that is probably a mistake. */
  warnings: readonly string[];
  secrets: Secrets;
}

function refuse(name: SettingName, problem: string): StartFault {
  return new StartFault(`${name}: ${problem}; for example ${name}=${settings[name].example}`);
}

function readValues(env: Environment): SettingValues {
  const names = Object.keys(settings) as SettingName[];
  const entries = names.map((name) => {
    const text = env[name];
    try {
      return [name, text === undefined || text === '' ? settings[name].fallback : settings[name].read(text)];
    } catch (error) {
      throw error instanceof WrongValue ? refuse(name, error.message) : error;
    }
  });
  return Object.fromEntries(entries) as SettingValues;
}

function checkTogether(values: SettingValues, env: Environment): void {
  const model = findModelTrouble(values, env);
  if (model) throw refuse(model.name, model.problem);
  const fixed = findFixedTimeTrouble(values);
  if (fixed) throw refuse('ERRAND_FIXED_TIME', fixed);
  const [half, sso] = [findHalfSlack(values) ?? findHalfSearch(values) ?? findHalfMail(values), findSsoTrouble(values)];
  if (sso) throw refuse(sso.name, sso.problem);
  if (half) throw refuse(half.missing, `is needed by ${half.given}`);
  if (values.ERRAND_DATABASE_POOL_URL !== null && values.ERRAND_DATABASE_URL === null) {
    throw refuse('ERRAND_DATABASE_URL', 'is needed by ERRAND_DATABASE_POOL_URL');
  }
  if (values.ERRAND_BLOBS.kind === 's3') {
    for (const name of ['ERRAND_S3_ACCESS_KEY_ID', 'ERRAND_S3_SECRET_ACCESS_KEY'] as const) {
      if (values[name] === null) throw refuse(name, 'is needed by ERRAND_BLOBS');
    }
  }
}

/** A copy of an object without its undefined members. */
function pickGiven<Name extends string>(
  values: Record<Name, string | null | undefined>,
): Readonly<Partial<Record<Name, string>>> {
  return Object.freeze(Object.fromEntries(Object.entries(values).filter(([, value]) => value))) as Partial<Record<Name, string>>;
}

function readSecrets(values: SettingValues, env: Environment): Secrets {
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

function readSideModels(values: SettingValues): Pick<Config, 'speech' | 'images'> {
  const { ERRAND_IMAGE_MODEL: model, ERRAND_IMAGE_BASE_URL: baseUrl, ERRAND_IMAGE_PRICE: price } = values;
  return {
    speech: Object.freeze({ model: values.ERRAND_SPEECH_MODEL, baseUrl: values.ERRAND_SPEECH_BASE_URL }),
    images: Object.freeze({ model, baseUrl, price }),
  };
}

/** Reads the configuration from the environment. Throws `StartFault` for the first invalid variable, before anything is touched. */
export function readConfig(env: Environment): Config {
  const values = readValues(env);
  checkTogether(values, env);
  return Object.freeze({
    sharesPorts: false,
    host: values.ERRAND_HOST,
    port: values.ERRAND_PORT,
    // Choosing a free port for one implies not wanting a fixed port for the other.
    contentPort: values.ERRAND_CONTENT_PORT ?? (values.ERRAND_PORT === 0 ? 0 : usualContentPort),
    monitoringPort: values.ERRAND_MONITORING_PORT,
    publicUrl: values.ERRAND_PUBLIC_URL,
    ...{ contentUrl: values.ERRAND_CONTENT_URL, previewUrl: values.ERRAND_PREVIEW_URL },
    trustedProxies: Object.freeze(values.ERRAND_TRUSTED_PROXIES),
    corsOrigins: Object.freeze(values.ERRAND_CORS_ORIGINS),
    ...{ dataDir: resolve(values.ERRAND_DATA_DIR), blobs: Object.freeze(values.ERRAND_BLOBS) },
    bootstrapEmail: values.ERRAND_BOOTSTRAP_EMAIL,
    sso: readSso(values),
    acceptsPasswords: values.ERRAND_PASSWORD_SIGN_IN,
    ...{ hasTeamSignUp: values.ERRAND_TEAM_SIGN_UP, sessionMs: values.ERRAND_SESSION_HOURS * 3_600_000 },
    models: Object.freeze({
      ...pickGiven({
        model: values.ERRAND_MODEL,
        modelLite: values.ERRAND_MODEL_LITE,
        modelMax: values.ERRAND_MODEL_MAX,
        baseUrl: values.ERRAND_MODEL_BASE_URL,
      }),
      ...readTuning(values),
    }),
    ...readSideModels(values),
    ...{ workerConcurrency: values.ERRAND_WORKER_CONCURRENCY, workerToolCalls: values.ERRAND_WORKER_TOOL_CALLS },
    accountRunningTasks: values.ERRAND_ACCOUNT_RUNNING_TASKS,
    turnLimits: Object.freeze(readTurnLimits(values)),
    storage: Object.freeze(readStorageLimits(values)),
    ...readKeeping(values),
    ...{ drainMs: values.ERRAND_DRAIN_SECONDS * 1000, leaseTtlMs: values.ERRAND_LEASE_TTL_MS },
    outboundAllow: Object.freeze(values.ERRAND_OUTBOUND_ALLOW),
    sandboxEgress: Object.freeze(values.ERRAND_SANDBOX_EGRESS),
    packageRegistries: Object.freeze(values.ERRAND_PACKAGE_REGISTRIES),
    search: values.ERRAND_SEARCH === null ? null : { kind: values.ERRAND_SEARCH, url: values.ERRAND_SEARCH_URL },
    bridges: Object.freeze({ telegramUrl: values.ERRAND_TELEGRAM_API_URL, slackUrl: values.ERRAND_SLACK_API_URL }),
    mail: readMailSettings(values),
    watchRoots: values.ERRAND_WATCH_ROOTS,
    outgoingMail: values.ERRAND_MAIL_FROM === null ? null : Object.freeze({ from: values.ERRAND_MAIL_FROM }),
    acceptsHttpWebhooks: values.ERRAND_WEBHOOK_ALLOW_HTTP,
    rateLimits: values.ERRAND_RATE_LIMITS,
    ...{ credits: values.ERRAND_CREDITS, creditPlans: values.ERRAND_CREDIT_PLANS, creditPrice: values.ERRAND_CREDIT_PRICE },
    ...{ prices: values.ERRAND_PRICES, fixedTimeMs: values.ERRAND_FIXED_TIME },
    headerFamilies: Object.freeze([...new Set(['service', ...values.ERRAND_API_ALIASES])]),
    tracing: readTracing(values),
    ...{ logLevel: values.ERRAND_LOG, serviceUrl: values.ERRAND_URL },
    userFolder: findUserFolder(env),
    warnings: Object.freeze(findWarnings(env)),
    secrets: readSecrets(values, env),
  });
}
