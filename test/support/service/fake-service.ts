import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A substitute for the service where only its process matters: it counts its starts, answers requests, and obeys SIGTERM. */
const dataDir = process.env.ERRAND_DATA_DIR ?? '';
if (process.env.ERRAND_LOG === 'wrong') {
  console.error('ERRAND_LOG: no such level');
  process.exit(78);
}

const startsFile = path.join(dataDir, 'starts');
const starts = existsSync(startsFile) ? Number(readFileSync(startsFile, 'utf8')) + 1 : 1;
writeFileSync(startsFile, String(starts));

const server = createServer((request, response) => {
  console.log(JSON.stringify({ msg: 'request', path: request.url }));
  response.end(String(starts));
});
server.listen(Number(process.env.ERRAND_PORT), '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log('not JSON');
  console.error('{"msg":"ready","url":"from the wrong stream"}');
  console.log(JSON.stringify({ msg: 'ready', url, content_url: url, keys: Object.keys(process.env) }));
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close(() => console.log('{"msg":"drained"}'));
});
