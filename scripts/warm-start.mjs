import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// Runs after `npm ci`: starts the service once in a folder of its own and stops it, so that the compiled code of everything it
// loads is in the cache. The first real start is then as quick and as small as every other. Nothing depends on it.

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'errand-warm-'));
const settings = {
  ERRAND_DATA_DIR: join(folder, 'data'),
  ERRAND_PORT: '0',
  ERRAND_CONTENT_PORT: '0',
  ERRAND_MODEL: 'offline/offline-1',
};
const env = { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...settings };

const service = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
const patience = setTimeout(() => service.kill('SIGKILL'), 30_000);

createInterface({ input: service.stdout }).on('line', (line) => {
  if (line.includes('"msg":"ready"')) service.kill('SIGTERM');
});

service.on('error', () => undefined);
service.on('close', () => {
  clearTimeout(patience);
  rmSync(folder, { recursive: true, force: true });
});
