import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { databaseFile } from '../../../src/store/db/data-folder.ts';

const columns = [
  'account_id, id, task_id, path, version, type, file_type, extension, filename, display_name, search_text, favorite',
  'attachment, cover_tries, created_at, updated_at',
].join(', ');

/** Artifacts from `first` to `last`: ten to a task, in four categories, each with a name of its own. */
function insertion(account: string, padded: (text: string) => string, numbers: string): string {
  const kinds = ['documents', 'images', 'spreadsheets', 'others'].map((type, index) => `WHEN ${index} THEN '${type}'`).join(' ');
  const attachment = JSON.stringify({
    kind: 'file',
    blobId: '0'.repeat(22),
    filename: 'report.pdf',
    contentType: 'application/pdf',
    bytes: 9,
  });
  return `INSERT INTO artifacts (${columns})
    SELECT ${account}, ${padded('n')}, ${padded('n / 10')}, ${padded('n')}, 1, CASE n % 4 ${kinds} END, 'file', 'pdf',
      'report-' || n || '.pdf', 'Report ' || n, 'report ' || n || ' report-' || n || '.pdf', 0, '${attachment}', 0, 1, 1 ${numbers}`;
}

const account = '(SELECT account_id FROM accounts ORDER BY created_at LIMIT 1)';

const chunk = 250_000;

function fillEmbedded(dataDir: string, first: number, last: number): void {
  const database = new DatabaseSync(path.join(dataDir, databaseFile), { timeout: 60_000 });
  database.exec('PRAGMA synchronous = OFF');
  for (let from = first; from <= last; from += chunk) {
    const to = Math.min(from + chunk - 1, last);
    const numbers = `FROM (WITH RECURSIVE c (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM c WHERE n < ${to}) SELECT n FROM c)`;
    database.exec(insertion(account, (text) => `printf('%022d', ${text})`, numbers));
  }
  database.close();
}

/** Fills the library of the first account from `first` to `last`, past the service. */
export async function fillLibrary(dataDir: string, databaseUrl: string | undefined, first: number, last: number): Promise<void> {
  if (databaseUrl === undefined) return fillEmbedded(dataDir, first, last);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let from = first; from <= last; from += chunk) {
      const numbers = `FROM generate_series(${from}, ${Math.min(from + chunk - 1, last)}) AS s (n)`;
      await client.query(insertion(account, (text) => `lpad((${text})::text, 22, '0')`, numbers));
    }
    await client.query('ANALYZE artifacts');
  } finally {
    await client.end();
  }
}
