import { readMailSettings } from './mail-settings.ts';
import { readTuning } from './profile-settings.ts';
import { pickGiven } from './setting.ts';
import type { SettingValues } from './settings.ts';
import { readSso } from './sso-settings.ts';
import { readTurnLimits } from './turn-limit-settings.ts';

const usualContentPort = 7071;

/** Where the servers listen, and how they are reached. */
export function readServers(values: SettingValues) {
  return {
    host: values.ERRAND_HOST,
    port: values.ERRAND_PORT,
    // Choosing a free port for one implies not wanting a fixed port for the other.
    contentPort: values.ERRAND_CONTENT_PORT ?? (values.ERRAND_PORT === 0 ? 0 : usualContentPort),
    monitoringPort: values.ERRAND_MONITORING_PORT,
    sharesPorts: false,
    publicUrl: values.ERRAND_PUBLIC_URL,
    contentUrl: values.ERRAND_CONTENT_URL,
    previewUrl: values.ERRAND_PREVIEW_URL,
    trustedProxies: Object.freeze(values.ERRAND_TRUSTED_PROXIES),
    corsOrigins: Object.freeze(values.ERRAND_CORS_ORIGINS),
  };
}

/** How people sign in. */
export function readSignIn(values: SettingValues) {
  return {
    bootstrapEmail: values.ERRAND_BOOTSTRAP_EMAIL,
    sso: readSso(values),
    acceptsPasswords: values.ERRAND_PASSWORD_SIGN_IN,
    hasTeamSignUp: values.ERRAND_TEAM_SIGN_UP,
    sessionMs: values.ERRAND_SESSION_HOURS * 3_600_000,
  };
}

/** The models for text, speech, and pictures. */
export function readModels(values: SettingValues) {
  return {
    models: Object.freeze({
      ...pickGiven({
        model: values.ERRAND_MODEL,
        modelLite: values.ERRAND_MODEL_LITE,
        modelMax: values.ERRAND_MODEL_MAX,
        baseUrl: values.ERRAND_MODEL_BASE_URL,
      }),
      ...readTuning(values),
    }),
    acceptsModelKeys: values.ERRAND_ACCOUNT_MODEL_KEYS,
    speech: Object.freeze({ model: values.ERRAND_SPEECH_MODEL, baseUrl: values.ERRAND_SPEECH_BASE_URL }),
    images: Object.freeze({
      model: values.ERRAND_IMAGE_MODEL,
      baseUrl: values.ERRAND_IMAGE_BASE_URL,
      price: values.ERRAND_IMAGE_PRICE,
    }),
  };
}

/** How much runs at once, and for how long. */
export function readWork(values: SettingValues) {
  return {
    workerConcurrency: values.ERRAND_WORKER_CONCURRENCY,
    workerToolCalls: values.ERRAND_WORKER_TOOL_CALLS,
    accountRunningTasks: values.ERRAND_ACCOUNT_RUNNING_TASKS,
    turnLimits: Object.freeze(readTurnLimits(values)),
    drainMs: values.ERRAND_DRAIN_SECONDS * 1000,
    leaseTtlMs: values.ERRAND_LEASE_TTL_MS,
  };
}

/** What the service and its tasks may reach outside. */
export function readOutside(values: SettingValues) {
  return {
    outboundAllow: Object.freeze(values.ERRAND_OUTBOUND_ALLOW),
    sandboxEgress: Object.freeze(values.ERRAND_SANDBOX_EGRESS),
    packageRegistries: Object.freeze(values.ERRAND_PACKAGE_REGISTRIES),
    search: values.ERRAND_SEARCH === null ? null : { kind: values.ERRAND_SEARCH, url: values.ERRAND_SEARCH_URL },
    acceptsHttpWebhooks: values.ERRAND_WEBHOOK_ALLOW_HTTP,
  };
}

/** How people and programs are reached by chat and mail. */
export function readChannels(values: SettingValues) {
  return {
    bridges: Object.freeze({ telegramUrl: values.ERRAND_TELEGRAM_API_URL, slackUrl: values.ERRAND_SLACK_API_URL }),
    mail: readMailSettings(values),
    outgoingMail: values.ERRAND_MAIL_FROM === null ? null : Object.freeze({ from: values.ERRAND_MAIL_FROM }),
  };
}

/** What work costs. */
export function readCredits(values: SettingValues) {
  return {
    credits: values.ERRAND_CREDITS,
    creditPlans: values.ERRAND_CREDIT_PLANS,
    creditPrice: values.ERRAND_CREDIT_PRICE,
    prices: values.ERRAND_PRICES,
  };
}
