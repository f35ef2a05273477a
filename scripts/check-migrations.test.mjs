import { expect, it } from 'vitest';
import { checkAdditions, checkMigrations } from './check-migrations.mjs';

it('finds a number that is taken twice and one that is left out', () => {
  expect(checkMigrations(['0001_a.sql', '0002_b.sql', '0003_c.sql'])).toEqual([]);
  expect(checkMigrations(['0001_a.sql', '0002_b.sql', '0002_c.sql'])).toEqual(['migration 2 should be 3']);
  expect(checkMigrations(['0001_a.sql', '0003_b.sql'])).toEqual(['migration 3 should be 2']);
});

it.each([
  'CREATE TABLE notes (id TEXT PRIMARY KEY);\nCREATE UNIQUE INDEX notes_by_id ON notes (id);',
  'ALTER TABLE tasks ADD COLUMN color TEXT; -- DROP TABLE tasks;\nCREATE INDEX tasks_by_color ON tasks (color);',
  "ALTER TABLE tasks ADD COLUMN owner TEXT;\nUPDATE tasks SET owner = (SELECT value FROM instance WHERE name = 'owner') WHERE id = '1';",
  "ALTER TABLE tasks ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain';\nDROP INDEX tasks_by_color;",
  'ALTER TABLE tasks ADD COLUMN code TEXT;\nCREATE UNIQUE INDEX tasks_by_code ON tasks (account_id, code) WHERE code IS NOT NULL;',
])('lets a migration add what the previous version need not know: %s', (text) => {
  expect(checkAdditions('0050_x.sql', text)).toEqual([]);
});

it.each([
  'DROP TABLE tasks;',
  'ALTER TABLE tasks DROP COLUMN title;',
  'ALTER TABLE tasks RENAME COLUMN title TO name;',
  'ALTER TABLE tasks ADD COLUMN color TEXT NOT NULL;',
  'CREATE UNIQUE INDEX tasks_by_title ON tasks (title);',
  "UPDATE tasks SET title = '';",
  "UPDATE tasks SET color = '', title = '';",
])('finds what would break the previous version, unless the name says what it needs: %s', (text) => {
  expect(checkAdditions('0050_x.sql', text)).toEqual([`0050_x.sql does more than add: ${text.slice(0, -1)}`]);
  expect(checkAdditions('0050_x_needs_0049.sql', text)).toEqual([]);
  expect(checkAdditions('0050_x_needs_0050.sql', text)).toEqual(['0050_x_needs_0050.sql needs a version before its own']);
});
