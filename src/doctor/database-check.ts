import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readSchema } from '../app/database-schema.ts';
import type { Check, DoctorContext } from './check.ts';

function describeDifference(current: number, shipped: number): string {
  if (current > shipped) return `, that of a newer version of Errand; this one, which knows ${shipped}, can work with it`;
  return current === shipped ? '' : `; the next start migrates it to ${shipped}`;
}

/** Whether the database can be opened and has a schema that this version knows. */
export async function checkDatabase({ config }: DoctorContext): Promise<Check> {
  const name = 'database';
  const kind = config.secrets.databaseUrl === null ? 'embedded SQLite' : 'PostgreSQL';
  try {
    const { current, needed, shipped } = await readSchema(config);
    if (needed > shipped) {
      const found = `${kind} has schema version ${current}; this version of Errand knows ${shipped}`;
      return { name, state: 'failed', found, remedy: 'use a newer version of Errand' };
    }
    const state = `version ${current}${describeDifference(current, shipped)}`;
    return { name, state: 'ok', found: `${kind}, schema ${current === 0 ? 'created at the first start' : state}` };
  } catch (error) {
    const remedy =
      kind === 'PostgreSQL' ? 'check ERRAND_DATABASE_URL and that the server runs' : 'restore the data folder from a backup';
    return { name, state: 'failed', found: cleanLine((error as Error).message), remedy };
  }
}
