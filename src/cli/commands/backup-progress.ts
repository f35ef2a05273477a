import { type BackupProgress, isBackupProblem } from '../../app/backup/backup-progress.ts';
import { CommandFault } from '../exit-code.ts';
import { LiveLine } from '../output/live-line.ts';
import { printNote } from '../output/print.ts';
import type { Shell } from '../shell.ts';

const units = { database: 'rows', files: 'files', workspaces: 'workspaces' } as const;

function describe({ stage, count, total }: BackupProgress): string {
  return `${stage}: ${count}${total === null || total === count ? '' : ` of ${total}`} ${units[stage]}`;
}

/** Shows progress: a line that changes on a terminal, elsewhere one line for each stage. */
export async function withBackupProgress<Result>(
  shell: Shell,
  work: (report: (progress: BackupProgress) => void) => Promise<Result>,
): Promise<Result> {
  const live = new LiveLine(shell.stderr);
  let last: BackupProgress | null = null;
  const endStage = () => {
    live.clear();
    if (last !== null) printNote(shell, describe(last));
  };
  try {
    const result = await work((progress) => {
      if (last !== null && last.stage !== progress.stage) endStage();
      last = progress;
      live.show(describe(progress));
    });
    endStage();
    return result;
  } catch (error) {
    live.clear();
    if (!isBackupProblem(error)) throw error;
    throw new CommandFault(error.message, { code: 'backup_failed', cause: error });
  }
}
