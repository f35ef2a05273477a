import { resolve } from 'node:path';
import { StartFault } from '@errand/base/start-fault.ts';
import { type FixedTime, findFixedTimeTrouble } from './address-settings.ts';
import { findHalfSlack } from './bridge-settings.ts';
import type { BlobPlace } from './blob-settings.ts';
import { findHalfMail, type MailSettings } from './mail-settings.ts';
import { findModelTrouble } from './model-trouble.ts';
import type { ModelPrices } from './price-settings.ts';
import type { readTuning } from './profile-settings.ts';
import type { RateLimits } from './rate-limit-settings.ts';
import { findHalfSearch } from './search-settings.ts';
import { readChannels, readCredits, readModels, readOutside, readServers, readSignIn, readWork } from './setting-groups.ts';
import { readSecrets, type Secrets } from './secrets.ts';
import { findWarnings } from './setting-warnings.ts';
import { WrongValue } from './setting.ts';
import { type Keeping, readKeeping, readStorageLimits } from './storage-settings.ts';
import { readTracing, type TracingSettings } from './tracing-settings.ts';
import { findSsoTrouble, type SsoSettings } from './sso-settings.ts';
import type { CreditPrice } from '../rules/credits/credit-price.ts';
import type { CreditPlans } from '../rules/credits/credit-balance.ts';
import type { StorageLimits } from '../rules/files/storage-quota.ts';
import type { TurnLimits } from '../rules/tasks/turn-limits.ts';
import type { EgressPolicy } from '../rules/egress/egress-policy.ts';
import type { PackageRegistries } from '../rules/egress/package-registries.ts';
import { findUserFolder } from './user-folder.ts';
import { type SettingName, type SettingValues, settings } from './settings.ts';

/** The environment as passed to `main`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** All validated settings; `config/settings` describes each. */
export interface Config extends FixedTime, Keeping {
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
  /** Whether accounts may use keys of their own for the models of their tasks. */
  acceptsModelKeys: boolean;
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

/** Reads the configuration from the environment. Throws `StartFault` for the first invalid variable, before anything is touched. */
export function readConfig(env: Environment): Config {
  const values = readValues(env);
  checkTogether(values, env);
  return Object.freeze({
    ...readServers(values),
    ...readSignIn(values),
    ...readModels(values),
    ...readWork(values),
    ...readKeeping(values),
    ...readOutside(values),
    ...readChannels(values),
    ...readCredits(values),
    dataDir: resolve(values.ERRAND_DATA_DIR),
    blobs: Object.freeze(values.ERRAND_BLOBS),
    storage: Object.freeze(readStorageLimits(values)),
    watchRoots: values.ERRAND_WATCH_ROOTS,
    rateLimits: values.ERRAND_RATE_LIMITS,
    fixedTimeMs: values.ERRAND_FIXED_TIME,
    headerFamilies: Object.freeze([...new Set(['service', ...values.ERRAND_API_ALIASES])]),
    tracing: readTracing(values),
    logLevel: values.ERRAND_LOG,
    serviceUrl: values.ERRAND_URL,
    userFolder: findUserFolder(env),
    warnings: Object.freeze(findWarnings(env)),
    secrets: readSecrets(values, env),
  });
}
