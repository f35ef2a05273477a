import { pause } from '@errand/base/clock.ts';
import { StartFault } from '@errand/base/start-fault.ts';
import { printNote } from '../output/print.ts';
import type { Shell } from '../shell.ts';

const tries = 120;
const delayMs = 250;
const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  if (!(error instanceof StartFault) || !(error.cause instanceof Error)) return false;
  return 'errcode' in error.cause && error.cause.errcode === sqliteBusy;
}

/**
 * Retries for half a minute while another process holds the data folder, such as a short command or a service that starts or
 * stops. Gives up as soon as `isServed` says that a service has the folder.
 */
export async function retryWhileBusy<Result>(
  shell: Pick<Shell, 'clock' | 'signal' | 'stdout' | 'stderr'>,
  attempt: () => Promise<Result>,
  isServed: () => Promise<boolean>,
): Promise<Result> {
  for (let left = tries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || left === 0 || shell.signal.aborted || (await isServed())) throw error;
      if (left === tries) printNote(shell, 'waiting for another errand process on this data folder');
      await pause(shell.clock, delayMs, shell.signal);
    }
  }
}
