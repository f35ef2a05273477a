import { open } from 'node:fs/promises';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Environment } from '../config/config.ts';
import { secretNames } from '../config/secret-names.ts';

/** Longer than any secret; what is longer is another file than the one that was meant. */
const mostBytes = 64 * 1024;

async function readSecretFile(variable: string, path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    if (bytesRead > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    // Editors and `echo` end a file with a line.
    return buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartFault(`${variable}: cannot read ${path}: ${(error as Error).message}`, error);
  }
}

/**
 * The environment with secrets that stand in files: for `ERRAND_SECRET_FILE=/run/secrets/errand` what the file holds is
 * `ERRAND_SECRET`. Throws `StartFault` for a file that cannot be read, and where both are set.
 */
export async function readSecretFiles(env: Environment): Promise<Environment> {
  const found: Record<string, string | undefined> = { ...env };
  for (const name of secretNames) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (path === undefined || path === '') continue;
    if (env[name]) throw new StartFault(`${variable}: ${name} is set as well; leave one of them out`);
    found[variable] = undefined;
    found[name] = await readSecretFile(variable, path);
  }
  return found;
}
