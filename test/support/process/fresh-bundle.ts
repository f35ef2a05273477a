import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../../scripts/build-service.mjs', import.meta.url));

/** Runs before tests that start the service as a process: it is the bundle of the sources as they are now. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [script, '--if-stale']);
}
