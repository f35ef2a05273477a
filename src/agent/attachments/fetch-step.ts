import type { AwaitedFile } from '../../rules/events/awaited-file.ts';
import type { TaskRun } from '../agent-ports.ts';

/** Files of a task that are fetched at the same time. */
const atOnce = 4;

/**
 * Fetches the files that messages wait for, and logs each when it is there, or why it is not. A worker that takes the task over fetches the
 * others from their beginning.
 */
export async function runFetchStep({ task, journal, ports }: TaskRun, files: readonly AwaitedFile[]): Promise<void> {
  const queue = [...files];
  const failure = new AbortController();
  let logged = Promise.resolve();
  const fetchNext = async (signal: AbortSignal) => {
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      const { id, filename } = file;
      const event = { type: 'file_fetched' as const, id, filename, ...(await ports.fetchFile(task.accountId, file, signal)) };
      logged = logged.then(() => journal.append([event]));
      await logged;
    }
  };
  await journal.attend(async (released) => {
    const signal = AbortSignal.any([released, failure.signal]);
    // All have ended before the step does: nothing is logged after it.
    const lanes = Array.from({ length: atOnce }, () => fetchNext(signal).catch((error: unknown) => failure.abort(error)));
    await Promise.all(lanes);
    failure.signal.throwIfAborted();
  });
}
