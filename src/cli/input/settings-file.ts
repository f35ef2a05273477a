import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { StartFault } from '@errand/base/start-fault.ts';
import type { Environment } from '../../config/config.ts';

const variable = 'ERRAND_CONFIG';

const settingLine = /^\s*(?:(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*\s*=.*|#.*)?$/;

/** The first line that sets nothing; lines within quotes that span several are part of a value. */
function findWrongLine(text: string): number | null {
  const single = text.replaceAll(/=\s*(["'`])[^"'`]*?\1/g, (value) => `=${'\n'.repeat(value.split('\n').length - 1)}`);
  const at = single.split('\n').findIndex((line) => !settingLine.test(line.replace(/\r$/, '')));
  return at === -1 ? null : at + 1;
}

/** Adds the settings of the file that `ERRAND_CONFIG` names, `NAME=value` on each line. What the environment sets counts more. */
export async function readSettingsFile(env: Environment): Promise<Environment> {
  const place = env[variable];
  if (place === undefined || place === '') return env;
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    throw new StartFault(`${variable}: ${place} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  });
  const wrong = findWrongLine(text);
  if (wrong !== null) {
    throw new StartFault(`${variable}: line ${wrong} of ${place} is neither NAME=value nor a comment that begins with #`);
  }
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return { ...env, ...parseEnv(text), ...Object.fromEntries(given) };
}
