import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import type { SharedService } from './stage.ts';

/** Where the sequence of the messages begins, behind what the service has logged of the task. */
const firstSeq = 1000;
const chunk = 10_000;

function insertion(taskId: string, numbers: string): string {
  const body = JSON.stringify({ text: 'w'.repeat(2000), kind: 'text' });
  return `INSERT INTO events (account_id, task_id, seq, at, type, audience, body)
    SELECT t.account_id, t.id, n, 1, 'user_message', 1, '${body}' FROM tasks t CROSS JOIN ${numbers} WHERE t.id = '${taskId}'`;
}

function rangesOf(count: number): [number, number][] {
  const from = Array.from({ length: Math.ceil(count / chunk) }, (_, index) => firstSeq + index * chunk);
  return from.map((first) => [first, Math.min(first + chunk, firstSeq + count) - 1]);
}

/** Adds messages of two kilobytes to a finished task, past the service, so that searches of its account take long. */
export async function addMessages(
  { dataDir }: SharedService,
  databaseUrl: string | undefined,
  taskId: string,
  count: number,
): Promise<void> {
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(dataDir, databaseFile), { timeout: 60_000 });
    for (const [first, last] of rangesOf(count)) {
      const series = `WITH RECURSIVE c (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM c WHERE n < ${last}) SELECT n FROM c`;
      database.exec(insertion(taskId, `(${series})`));
    }
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (const [first, last] of rangesOf(count)) {
    await client.query(insertion(taskId, `generate_series(${first}, ${last}) AS s (n)`));
  }
  await client.end();
}
