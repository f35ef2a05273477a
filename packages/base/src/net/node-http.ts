import { createRequire } from 'node:module';

/**
 * What the service uses of node:http. An `import` of it would read every export to make them importable, and one of them is
 * made by loading the whole of the built-in fetch, which costs 13 MB and is not used.
 */
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');

export const { createServer, request: requestHttp, STATUS_CODES: statusTexts, validateHeaderName, validateHeaderValue } = http;
