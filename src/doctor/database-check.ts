import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readSchema } from '../app/database-schema.ts';
import type { Check, DoctorContext } from './check.ts';

/** Whether the database can be opened and has a schema that this version knows. */
export async function checkDatabase({ config }: DoctorContext): Promise<Check> {
  const name = 'database';
  const kind = config.secrets.databaseUrl === null ? 'embedded SQLite' : 'PostgreSQL';
  try {
    const { current, shipped } = await readSchema(config);
    if (current > shipped) {
      const found = `${kind} has schema version ${current}; this version of Errand knows ${shipped}`;
      return { name, state: 'failed', found, remedy: 'use a newer version of Errand' };
    }
    const state = current === shipped ? `version ${current}` : `version ${current}; the next start migrates it to ${shipped}`;
    return { name, state: 'ok', found: `${kind}, schema ${current === 0 ? 'created at the first start' : state}` };
  } catch (error) {
    const remedy =
      kind === 'PostgreSQL' ? 'check ERRAND_DATABASE_URL and that the server runs' : 'restore the data folder from a backup';
    return { name, state: 'failed', found: cleanLine((error as Error).message), remedy };
  }
}
