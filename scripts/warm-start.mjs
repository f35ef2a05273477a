import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Runs after `npm ci`: starts the service once in a temporary folder and loads each file of its bundle, so that all compiled code is
// in the cache. The first real start is then as quick and as small as every other. Nothing depends on it.

// By the launcher, because the cache belongs to the flags it sets.
const launcher = fileURLToPath(new URL('../bin/errand', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'errand-warm-'));
const env = {
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_OPTIONS: `--import=${new URL('./load-everything.mjs', import.meta.url).href}`,
  ERRAND_DATA_DIR: join(folder, 'data'),
  ERRAND_PORT: '0',
  ERRAND_CONTENT_PORT: '0',
  ERRAND_MODEL: 'offline/offline-1',
};

const service = spawn('sh', [launcher, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
const timeout = setTimeout(() => service.kill('SIGKILL'), 60_000);

createInterface({ input: service.stdout }).on('line', (line) => {
  if (line.includes('"msg":"ready"')) service.kill('SIGTERM');
});

service.on('error', () => undefined);
service.on('close', () => {
  clearTimeout(timeout);
  rmSync(folder, { recursive: true, force: true });
});
