import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/process/leftovers.ts';
import { createSqliteFile } from './sqlite-destination.ts';

it('a database is accessible by its owner only while it is being restored, before any service has opened it', async () => {
  const file = join(createFolder('restored'), 'errand.db');
  const database = createSqliteFile(file);
  const mode = () => (statSync(file).mode & 0o777).toString(8);
  expect(mode()).toBe('600');
  await database.load([], (async function* () {})());
  await database.commit();
  await database.close();
  expect(mode()).toBe('600');
});
