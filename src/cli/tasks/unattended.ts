import { CommandFault } from '../exit-code.ts';
import { printNote } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import type { Connection } from '../transport/connection.ts';

/** Whether nobody works on tasks. With PostgreSQL a worker may run anywhere. */
function isUnattended({ config }: Shell, { kind }: Connection): boolean {
  return kind === 'own' && config.secrets.databaseUrl === null;
}

/** Prints a note if a task has work to do and no service runs. */
export function noteIfUnattended(shell: Shell, connection: Connection): void {
  if (!isUnattended(shell, connection)) return;
  printNote(shell, `No service runs on ${shell.config.dataDir}; the task waits until you start one: errand serve`);
}

/** Throws if the task is running but no service works on it. */
export async function refuseUnattended(shell: Shell, connection: Connection, taskId: string): Promise<void> {
  const { task } = await connection.call('task.detail', { task_id: taskId });
  if (task.status !== 'running' || !isUnattended(shell, connection)) return;
  throw new CommandFault(`no service runs on ${shell.config.dataDir}, so the task makes no progress; start one: errand serve`);
}

/** Throws if no service runs: this command would keep one from starting. */
export function refuseUnserved(shell: Shell, connection: Connection): void {
  if (!isUnattended(shell, connection)) return;
  throw new CommandFault(`no service runs on ${shell.config.dataDir}, so nothing happens; start one: errand serve`);
}
