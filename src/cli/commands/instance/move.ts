import { readBlobPlace } from '../../../config/blob-settings.ts';
import { WrongValue } from '../../../config/setting.ts';
import { readDatabaseAddress } from '../../../config/setting-readers.ts';
import { version } from '@errand/base/program-version.ts';
import { UsageFault } from '../../exit-code.ts';
import { printReport } from '../../output/print.ts';
import { withBackupProgress } from '../backup-progress.ts';
import { defineCommand } from '../command.ts';

function readOption<Value>(name: string, value: string, read: (text: string) => Value): Value {
  try {
    return read(value);
  } catch (error) {
    if (error instanceof WrongValue) throw new UsageFault(`--${name} ${error.message}`);
    throw error;
  }
}

/** `errand move` */
export const move = defineCommand({
  name: 'move',
  summary: 'Move an instance from its data folder into PostgreSQL, its files into a bucket, or both.',
  options: {
    to: {
      type: 'string',
      value: 'URL',
      about: 'An empty PostgreSQL database, postgresql://user@host/name; the data folder keeps the database if omitted.',
    },
    blobs: {
      type: 'string',
      value: 'BUCKET',
      about: 'Where files go, s3://bucket?endpoint=https://…; where they are if omitted.',
    },
  },
  details: `All or nothing. Stop the service first; the data folder needs free space for two more copies of what it has. What it had is set
aside in a subfolder. Afterwards set ERRAND_DATABASE_URL or ERRAND_BLOBS, whichever was moved, and start the service. A password that is not
in the URL is taken from ~/.pgpass.`,
  examples: [
    ['move --to postgresql://errand@db.example.com/errand', 'files stay in the data folder'],
    ['move --to postgresql://errand@db/errand --blobs "s3://errand?endpoint=https://s3.example.com"', 'files go into a bucket'],
    ['move --blobs "s3://errand?endpoint=https://s3.example.com"', 'only files go into a bucket; the database stays'],
  ],
  async run(shell, { options }) {
    if (options.to === undefined && options.blobs === undefined)
      throw new UsageFault('--to (the address of an empty PostgreSQL database), --blobs (a bucket), or both are missing');
    const to = options.to === undefined ? undefined : readOption('to', options.to, readDatabaseAddress);
    const blobs = options.blobs === undefined ? undefined : readOption('blobs', options.blobs, readBlobPlace);
    const { moveInstance } = await import('../../../app/backup/move-instance.ts');
    const { config, clock, signal } = shell;
    const { manifest, schema, replaced } = await withBackupProgress(shell, (report) =>
      moveInstance({ config, clock, signal, version, to, blobs, report }),
    );
    const { database, blobs: files, workspaces } = manifest;
    const settings = [to === undefined ? [] : ['ERRAND_DATABASE_URL'], blobs === undefined ? [] : ['ERRAND_BLOBS']]
      .flat()
      .join(' and ');
    const notes = [
      `set ${settings} before you start the service`,
      ...(replaced === null ? [] : [`what was there before is in ${replaced}; delete it when everything works`]),
    ];
    return printReport(shell, options.json, {
      text: `moved ${to === undefined ? `${files.count} files` : `${database.rows} rows, ${files.count} files, ${workspaces.count} workspaces`}`,
      notes,
      json: { rows: database.rows, files: files.count, workspaces: workspaces.count, schema, replaced },
    });
  },
});
