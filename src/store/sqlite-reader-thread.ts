import { serveJobs } from '@errand/base/threads/job-worker.ts';
import type { ScanJob } from './db/sqlite-messages.ts';
import { SqliteEngine } from './db/sqlite-engine.ts';
import { operationTable } from './operations.ts';

/** A reader of the database: it runs the costly reads of one file, one after another, on a connection that cannot write. */
let engine: SqliteEngine | null = null;

serveJobs({
  scan: (input) => {
    const { file, call, now } = input as ScanJob;
    engine ??= new SqliteEngine(file, operationTable, { isReadOnly: true });
    return Promise.resolve(engine.runBatch([call], now).outcomes[0]);
  },
});
