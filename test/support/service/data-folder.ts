import { constants, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile } from '../../../src/store/db/data-folder.ts';
import { createFolder } from '../process/leftovers.ts';

/** The variable that names a closed database file with the schema and no data, which the test run has made (`bundle.ts`). */
export const migratedFile = 'ERRAND_TEST_MIGRATED_FILE';

/**
 * The data folder of a new service. Its database has the schema already: all migrations take longer than the rest of a start, and they have
 * tests of their own.
 */
export function createDataFolder(name = 'data', parent?: string): string {
  const folder = createFolder(name, parent);
  const template = process.env[migratedFile];
  if (template !== undefined) copyFileSync(template, join(folder, databaseFile), constants.COPYFILE_FICLONE);
  return folder;
}
