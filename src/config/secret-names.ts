import type { SettingName } from './settings.ts';

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
