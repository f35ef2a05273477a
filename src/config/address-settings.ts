import { readAddressBlocks, readHost, readInteger, readOrigins, readPreviewAddress, readWebAddress } from './setting-readers.ts';
import { setting } from './setting.ts';

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
