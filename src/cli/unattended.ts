import type { Connection } from './connection.ts';
import { printNote } from './output.ts';
import type { Shell } from './shell.ts';

/** Says so where a task has work to do and nobody is there to do it. With PostgreSQL a worker may run anywhere. */
export function noteIfUnattended(shell: Shell, connection: Connection): void {
  if (connection.kind !== 'own' || shell.config.secrets.databaseUrl !== null) return;
  printNote(shell, `No service runs on ${shell.config.dataDir}; the task waits until one does: errand serve`);
}
