import { version } from '@errand/base/program-version.ts';
import { UsageFault } from '../exit-code.ts';
import { printReport } from '../output/print.ts';
import { withBackupProgress } from './backup-progress.ts';
import { defineCommand } from './command.ts';

const where = 'A folder, or s3://bucket/prefix?endpoint=https://… with the keys of ERRAND_S3_….';
const which = { backup: { type: 'string', value: 'ID', about: 'This backup instead of the newest.' } } as const;

const create = defineCommand({
  name: 'backup',
  summary: 'Back up the database, files, workspaces, and secret, while the service runs or not.',
  args: { target: where },
  options: { 'without-secret': { type: 'boolean', about: 'Leave out the secret of the data folder; keep it elsewhere.' } },
  details: `Consistent: everything acknowledged before the start is in it. Files that an earlier backup in the same target has are
not copied again. ERRAND_BACKUP_PASSPHRASE_FILE encrypts it; the passphrase cannot be recovered. A secret that is set as
ERRAND_SECRET is not part of it. Verify what was written with errand backup verify.`,
  examples: [
    ['backup /mnt/backups', 'into a folder on another disk'],
    ['backup "s3://backups/errand?endpoint=https://s3.example.com"', 'into a bucket'],
  ],
  async run(shell, { options, args }) {
    const { createBackup } = await import('../../app/backup/create-backup.ts');
    const { config, clock, signal } = shell;
    const common = { config, clock, signal, target: args.target, version };
    const made = await withBackupProgress(shell, (report) =>
      createBackup({ ...common, report, hasSecret: options['without-secret'] !== true }),
    );
    const { secret, isEncrypted, id, database, blobs, workspaces } = made;
    const notes: string[] = [];
    if (secret !== null && !isEncrypted) notes.push('the backup contains the secret of this instance in plain text: protect it');
    if (secret === null) notes.push('the secret of this instance is not in the backup: keep a copy of it elsewhere');
    if (workspaces.left_out > 0)
      notes.push(
        `${workspaces.left_out} entries of workspaces could not be copied (sockets, pipes, unreadable or changing files); their agents are told after a restore`,
      );
    return printReport(shell, options.json, {
      text: `backup ${id}: ${database.rows} rows, ${blobs.count} files (${blobs.copied} new, ${Math.ceil(blobs.bytes / 1e6)} MB in all), ${workspaces.count} workspaces`,
      notes,
      json: {
        ...{ backup_id: id, encrypted: isEncrypted, has_secret: secret !== null, rows: database.rows },
        files: { count: blobs.count, bytes: blobs.bytes, copied: blobs.copied },
        workspaces: { count: workspaces.count, bytes: workspaces.bytes, left_out: workspaces.left_out },
      },
    });
  },
});

const verify = defineCommand({
  name: 'backup verify',
  summary: 'Read a backup as a whole and compare every checksum.',
  args: { source: where },
  options: which,
  examples: [['backup verify /mnt/backups', 'the newest backup in a folder']],
  async run(shell, { options, args }) {
    const { verifyBackup } = await import('../../app/backup/verify-backup.ts');
    const { config, signal } = shell;
    const request = { config, signal, source: args.source, backup: options.backup ?? null };
    const { id, database, blobs, workspaces } = await withBackupProgress(shell, (report) => verifyBackup({ ...request, report }));
    return printReport(shell, options.json, {
      text: `backup ${id} is complete and undamaged`,
      json: { backup_id: id, ok: true, rows: database.rows, files: blobs.count, workspaces: workspaces.count },
    });
  },
});

/** A whole number from `least` up; null if the option is missing. */
function readCount(name: string, value: string | undefined, least: number): number | null {
  if (value === undefined) return null;
  const count = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= least)) throw new UsageFault(`--${name} must be a number from ${least} up`);
  return count;
}

const prune = defineCommand({
  name: 'backup prune',
  summary: 'Remove old backups, and files that no remaining backup has.',
  args: { target: where },
  options: {
    keep: { type: 'string', value: 'N', about: 'Keep the N newest backups.' },
    'keep-days': { type: 'string', value: 'DAYS', about: 'Keep the backups of the last DAYS days.' },
  },
  details: `Backups that either option keeps remain, and always the newest. What backups left that were killed more than 15 minutes ago is removed
too. Does not run beside a backup.`,
  examples: [
    ['backup prune /mnt/backups --keep 14', 'the newest 14 remain'],
    ['backup prune /mnt/backups --keep 7 --keep-days 30', 'those of 30 days, and at least seven'],
  ],
  async run(shell, { options, args }) {
    const [keep, keepDays] = [readCount('keep', options.keep, 1), readCount('keep-days', options['keep-days'], 0)];
    if (keep === null && keepDays === null) throw new UsageFault('--keep N or --keep-days DAYS is missing');
    const { pruneBackups } = await import('../../app/backup/prune-backups.ts');
    const { config, clock, signal } = shell;
    const request = { config, clock, signal, target: args.target, keep, keepDays };
    const { removed, remaining, filesRemoved } = await withBackupProgress(shell, () => pruneBackups(request));
    return printReport(shell, options.json, {
      text: `removed ${removed.length} backups and ${filesRemoved} files that only they had; ${remaining.length} backups remain`,
      json: { removed, remaining, files_removed: filesRemoved },
    });
  },
});

/** Milliseconds since the epoch. */
function readMoment(text: string | undefined, now: number): number {
  if (text === undefined) return now;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new UsageFault('--at is a time such as 2026-01-31T12:00:00Z');
  return at;
}

/** `errand restore` */
export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup into the data folder or database of the settings.',
  args: { source: where },
  options: {
    ...which,
    at: { type: 'string', value: 'TIME', about: 'A moment, from a copy of the write-ahead log (default: the last one).' },
    replace: { type: 'boolean', about: 'Restore even if something is there.' },
  },
  details: `SOURCE is the target of errand backup, or the folder of ERRAND_WAL_TARGET, from which only the database is restored. All or nothing. Stop the service first. A backup of SQLite can be restored into PostgreSQL and the other way round, and one of
an earlier version into this one. --replace deletes the tables of a PostgreSQL database; the content of a data folder is set aside in
a subfolder.`,
  examples: [
    ['restore /mnt/backups', 'the newest backup in a folder'],
    ['restore /mnt/backups --backup 20260131T120000123Z-4fGh2k', 'an earlier one'],
    ['restore /mnt/wal --at 2026-01-31T12:00:00Z --replace', 'the database as it was at that moment'],
  ],
  async run(shell, { options, args }) {
    const { isShippedFolder, restoreLog } = await import('../../app/backup/restore-log.ts');
    const { config, clock, signal } = shell;
    if (await isShippedFolder(args.source)) {
      const untilMs = readMoment(options.at, clock.now());
      return printReport(
        shell,
        options.json,
        await restoreLog(args.source, config, { untilMs, isReplacing: options.replace === true }),
      );
    }
    if (options.at !== undefined) throw new UsageFault('--at needs a folder of ERRAND_WAL_TARGET');
    const { restoreBackup } = await import('../../app/backup/restore-backup.ts');
    const request = { config, clock, signal, source: args.source, backup: options.backup ?? null };
    const isReplacing = options.replace === true;
    const { manifest, schema, replaced } = await withBackupProgress(shell, (report) =>
      restoreBackup({ ...request, report, replaces: { folder: isReplacing, database: isReplacing } }),
    );
    const { id, database, blobs, workspaces } = manifest;
    return printReport(shell, options.json, {
      text: `restored backup ${id}: ${database.rows} rows, ${blobs.count} files, ${workspaces.count} workspaces`,
      notes: replaced === null ? [] : [`what was there before is in ${replaced}; delete it when everything works`],
      json: { backup_id: id, rows: database.rows, files: blobs.count, workspaces: workspaces.count, schema, replaced },
    });
  },
});

/** `errand backup` */
export const backupCommands = [create, verify, prune];
