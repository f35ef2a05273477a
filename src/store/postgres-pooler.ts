import { Client } from 'pg';
import { StartFault } from '@errand/base/start-fault.ts';
import { sessionSettings } from './db/postgres-connection.ts';

/**
 * Gives the settings of a session to the role, in this database alone: a pooler opens its sessions as this role, and what one client sets
 * there would be another's.
 */
export async function setForRole(client: Client): Promise<void> {
  for (const [name, value] of Object.entries(sessionSettings)) {
    await client.query(
      `DO $do$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = ''${value}''', current_database()); END $do$`,
    );
  }
}

interface Place {
  database: string;
  role: string;
  started: string;
  scans: string;
}

async function findPlace(client: Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT current_database() AS database, current_user AS role, pg_postmaster_start_time()::text AS started,
     current_setting('enable_seqscan') AS scans`,
  );
  const [place] = rows;
  if (!place) throw new Error('the server does not say what it is');
  return place;
}

/**
 * Checks that a pooler leads to the same database as a direct connection, with the settings of the role.
 * @throws StartFault naming the setting and the remedy
 */
export async function checkPooler(poolUrl: string, direct: Client): Promise<void> {
  const refuse = (problem: string, cause?: unknown) => new StartFault(`ERRAND_DATABASE_POOL_URL: ${problem}`, cause);
  const client = new Client({ connectionString: poolUrl, connectionTimeoutMillis: 10_000, application_name: 'errand' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const [pooled, own] = [await findPlace(client), await findPlace(direct)];
    const isSame = pooled.database === own.database && pooled.role === own.role && pooled.started === own.started;
    if (!isSame) throw refuse('leads to another database, or signs in as another user, than ERRAND_DATABASE_URL');
    if (pooled.scans !== sessionSettings['enable_seqscan']) {
      throw refuse('the pooler has sessions from before this user had its settings; run RECONNECT in its console');
    }
  } catch (error) {
    if (error instanceof StartFault) throw error;
    const { message, code = 'no answer' } = error as NodeJS.ErrnoException;
    throw refuse(`cannot use the pooler: ${message || code}`, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
