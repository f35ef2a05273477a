import { readAddressBlocks, readHost, readInteger, readOrigins, readPreviewAddress, readWebAddress } from './setting-readers.ts';
import { setting, WrongValue } from './setting.ts';

const readPort = readInteger(0, 65_535);

/** Where the service listens, how others see it, and whose pages may call it. */
export const addressSettings = {
  ERRAND_HOST: setting({
    about: 'Address the API and the web application listen on.',
    fallback: '127.0.0.1',
    example: '0.0.0.0',
    read: readHost,
  }),
  ERRAND_PORT: setting({
    about: 'Port of the API and the web application; 0 picks a free one.',
    fallback: 7070,
    example: '7070',
    read: readPort,
  }),
  ERRAND_CONTENT_PORT: setting<number | null>({
    about: 'Port of the content origin, which serves files made by agents; 0 picks a free one.',
    fallback: null,
    fallbackText: '7071; a free one with ERRAND_PORT=0',
    example: '7071',
    read: readPort,
  }),
  ERRAND_MONITORING_PORT: setting<number | null>({
    about:
      'Port at which a process with role `worker` answers `/metrics`, `/readyz`, and `/healthz` on ERRAND_HOST; 0 picks a free one.',
    fallback: null,
    fallbackText: 'none; other roles answer them at ERRAND_PORT',
    example: '7072',
    read: readPort,
  }),
  ERRAND_PUBLIC_URL: setting<string | null>({
    about: 'Public URL of the service, for example behind a proxy.',
    fallback: null,
    fallbackText: 'from host and port',
    example: 'https://errand.example.com',
    read: readWebAddress,
  }),
  ERRAND_CONTENT_URL: setting<string | null>({
    about: 'Public URL of the content origin.',
    fallback: null,
    fallbackText: 'from host and content port',
    example: 'https://errand-content.example.com',
    read: readWebAddress,
  }),
  ERRAND_PREVIEW_URL: setting<string | null>({
    about:
      'Where owners see servers that run in sandboxes: an origin with `*` for the name of each, which leads to the content port.',
    fallback: null,
    fallbackText: 'below `localhost`, else a folder of the content origin',
    example: 'https://*.preview.example.com',
    read: readPreviewAddress,
  }),
  ERRAND_TRUSTED_PROXIES: setting<readonly string[]>({
    about: 'Comma-separated CIDR blocks of reverse proxies whose X-Forwarded-For header is trusted.',
    fallback: [],
    fallbackText: 'none',
    example: '127.0.0.1/32,10.0.0.0/8',
    read: readAddressBlocks,
  }),
  ERRAND_CORS_ORIGINS: setting<readonly string[]>({
    about: 'Comma-separated origins whose pages may call the API and `/mcp` from a browser.',
    fallback: [],
    fallbackText: 'none',
    example: 'https://app.example.com,http://localhost:3000',
    read: readOrigins,
  }),
};

/** The test mode: times and ids that are the same in each run. */
export interface FixedTime {
  /** When everything happens; null outside the test mode. */
  fixedTimeMs: number | null;
}

function readTime(text: string): number {
  const atMs = Date.parse(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) || Number.isNaN(atMs) || atMs < 0) {
    throw new WrongValue('must be a time in UTC');
  }
  return atMs;
}

export const fixedTimeSettings = {
  ERRAND_FIXED_TIME: setting<number | null>({
    about: 'Only for tests: the time stands still at this one, and ids are counted, so that each run has the same ones.',
    fallback: null,
    example: '2026-01-31T12:00:00Z',
    read: readTime,
  }),
};

/** Settings by which others reach a service that listens on this machine alone. */
const waysIn = [
  'ERRAND_PUBLIC_URL',
  'ERRAND_CONTENT_URL',
  'ERRAND_PREVIEW_URL',
  'ERRAND_TRUSTED_PROXIES',
  'ERRAND_SMTP_PORT',
  'ERRAND_TELEGRAM_BOT_TOKEN',
  'ERRAND_SLACK_BOT_TOKEN',
  'ERRAND_SLACK_APP_TOKEN',
] as const;

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Why the test mode is refused; null if it is not. Counted ids can be guessed, and sessions and tokens do not expire. */
export function findFixedTimeTrouble(values: {
  ERRAND_FIXED_TIME: number | null;
  ERRAND_HOST: string;
  ERRAND_DATABASE_URL: string | null;
  ERRAND_PUBLIC_URL: string | null;
  ERRAND_CONTENT_URL: string | null;
  ERRAND_PREVIEW_URL: string | null;
  ERRAND_TRUSTED_PROXIES: readonly string[];
  ERRAND_SMTP_PORT: number | null;
  ERRAND_TELEGRAM_BOT_TOKEN: string | null;
  ERRAND_SLACK_BOT_TOKEN: string | null;
  ERRAND_SLACK_APP_TOKEN: string | null;
  ERRAND_MODEL?: string | null | undefined;
}): string | null {
  if (values.ERRAND_FIXED_TIME === null) return null;
  const only = 'is for tests only:';
  const reach = 'it needs a service that nobody else reaches,';
  if (!loopback.has(values.ERRAND_HOST)) return `${only} ${reach} with ERRAND_HOST=127.0.0.1`;
  const open = waysIn.find((name) => values[name] !== null && !isEmpty(values[name]));
  if (open !== undefined) return `${only} ${reach} without ${open}`;
  if (values.ERRAND_DATABASE_URL !== null) return `${only} it needs the embedded database, without ERRAND_DATABASE_URL`;
  if (!/^offline\/offline-1$/.test(values.ERRAND_MODEL ?? '')) return `${only} it needs ERRAND_MODEL=offline/offline-1`;
  return null;
}
