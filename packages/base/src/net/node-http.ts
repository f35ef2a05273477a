import { createRequire } from 'node:module';

/**
 * The parts of node:http that are used. An `import` of it would read every export, one of which loads the whole built-in fetch, which costs
 * 13 MB and is not used.
 */
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');

export const { createServer, request: requestHttp, STATUS_CODES: statusTexts, validateHeaderName, validateHeaderValue } = http;
