import { BackupProblem } from '../../store/backup/backup-problem.ts';

/** What a backup, a check, or a restore is doing, and how much of it is done. */
export interface BackupProgress {
  stage: 'database' | 'files' | 'workspaces';
  /** Rows, files, or workspaces. */
  count: number;
  /** Null if nobody knows yet. */
  total: number | null;
}

export type ReportBackup = (progress: BackupProgress) => void;

/** Whether an error says to the operator why a backup could not be made, read, or restored. */
export function isBackupProblem(error: unknown): error is BackupProblem {
  return error instanceof BackupProblem;
}
