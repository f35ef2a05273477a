import { open } from 'node:fs/promises';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Environment } from '../../config/config.ts';
import { secretNames } from '../../config/secrets.ts';

/** Longer than any secret; a longer file is the wrong one. */
const mostBytes = 64 * 1024;

async function readSecretFile(variable: string, path: string): Promise<string> {
  try {
    await using file = await open(path, 'r');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    if (bytesRead > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    // Editors and `echo` end a file with a line break.
    return buffer.toString('utf8', 0, bytesRead).replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartFault(`${variable}: cannot read ${path}: ${(error as Error).message}`, error);
  }
}

/**
 * The environment with secrets read from files: `ERRAND_SECRET_FILE=/run/secrets/errand` sets `ERRAND_SECRET` to the content
 * of the file. Throws `StartFault` if a file cannot be read or if both variables are set.
 */
export async function readSecretFiles(env: Environment): Promise<Environment> {
  const found: Record<string, string | undefined> = { ...env };
  for (const name of secretNames) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (path === undefined || path === '') continue;
    if (env[name]) throw new StartFault(`${variable}: ${name} is set, too; remove one of them`);
    found[variable] = undefined;
    found[name] = await readSecretFile(variable, path);
  }
  return found;
}
