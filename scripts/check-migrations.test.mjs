import { expect, it } from 'vitest';
import { checkMigrations } from './check-migrations.mjs';

it('finds a number that is taken twice and one that is left out', () => {
  expect(checkMigrations(['0001_a.sql', '0002_b.sql', '0003_c.sql'])).toEqual([]);
  expect(checkMigrations(['0001_a.sql', '0002_b.sql', '0002_c.sql'])).toEqual(['migration 2 should be 3']);
  expect(checkMigrations(['0001_a.sql', '0003_b.sql'])).toEqual(['migration 3 should be 2']);
});
