import { type AwaitedFile, describeFetching, type FileFetched } from '../../rules/events/awaited-file.ts';
import type { TaskRun } from '../agent-ports.ts';

/** Files of a task that are fetched at the same time. */
const atOnce = 4;

/**
 * Fetches the files that messages wait for, before the agent reads them, and logs each as it comes, or why it does not. A worker that takes
 * the task over fetches the others from their beginning.
 */
export async function runFetchStep({ task, journal, ports }: TaskRun, files: readonly AwaitedFile[]): Promise<void> {
  await journal.append([{ type: 'running', brief: describeFetching(files) }]);
  for (let start = 0; start < files.length; start += atOnce) {
    const fetchOne = async (file: AwaitedFile, signal: AbortSignal): Promise<FileFetched> => {
      const { id, filename } = file;
      return { type: 'file_fetched', id, filename, ...(await ports.fetchFile(task.accountId, file, signal)) };
    };
    const some = files.slice(start, start + atOnce);
    await journal.append(await journal.attend((signal) => Promise.all(some.map((file) => fetchOne(file, signal)))));
  }
}
