import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What is wrong with the numbers of migrations: each is taken once, and none is left out.
 * @param {readonly string[]} names
 */
export function checkMigrations(names) {
  const numbers = names.map((name) => Number(name.slice(0, 4))).toSorted((one, other) => one - other);
  return numbers.flatMap((number, index) => (number === index + 1 ? [] : [`migration ${number} should be ${index + 1}`]));
}

/** Migrations before this one were applied before versions had to run side by side. */
const firstChecked = 48;

/** What only concerns a table that the migration adds: its triggers, first rows, and storage. */
const ofAddedTable = /^(?:CREATE TRIGGER \w+ AFTER .+? ON|INSERT INTO|ALTER TABLE(?= \w+ SET \()) (\w+)/i;
const addedFunction = /^CREATE OR REPLACE FUNCTION \w+\(/i;
/** Statements within a statement. */
const body = /\bBEGIN\b[^]*?\bEND(?=;)|\$\$[^]*?\$\$/g;

/** Sets one column: no second one follows. */
const filledColumn = /^UPDATE (\w+)\s+SET (\w+) = (?:(?!,\s*\w+ =)[^])*$/i;
const addedColumn = /^ALTER TABLE (\w+)\s+ADD COLUMN (\w+)/i;

/** Ends the name of a migration that takes something away: the oldest schema version whose programs can do without it. */
const contraction = /_needs_(\d{4})\.sql$/;

/**
 * Whether programs that do not know of a statement work as before: new tables, columns they need not fill, and indexes that refuse nothing
 * they write.
 * @param {string} statement
 * @param {ReadonlySet<string>} added tables of the same migration, and columns as `table.column`
 */
function isAddition(statement, added) {
  if (/^(CREATE TABLE|CREATE VIRTUAL TABLE|CREATE INDEX|DROP INDEX)\b/i.test(statement)) return true;
  const [, changed] = ofAddedTable.exec(statement) ?? [];
  if (changed !== undefined) return added.has(changed);
  if (addedFunction.test(statement)) return true;
  const [, ...filled] = filledColumn.exec(statement) ?? [];
  if (filled.length > 0) return added.has(filled.join('.'));
  const [, table = '', columns = ''] = /^CREATE UNIQUE INDEX \w+\s+ON (\w+)\s*\(([^)]*)\)/i.exec(statement) ?? [];
  if (table !== '') return added.has(table) || columns.split(',').some((column) => added.has(`${table}.${column.trim()}`));
  return addedColumn.test(statement) && (!/\bNOT NULL\b/i.test(statement) || /\bDEFAULT\b/i.test(statement));
}

/**
 * @param {readonly string[]} statements
 * @returns {ReadonlySet<string>}
 */
function listAdded(statements) {
  const tables = statements.flatMap((one) => /^CREATE (?:VIRTUAL )?TABLE (\w+)/i.exec(one)?.slice(1) ?? []);
  const columns = statements.flatMap((one) => addedColumn.exec(one)?.slice(1).join('.') ?? []);
  return new Set([...tables, ...columns]);
}

/**
 * What in a migration would break the previous version, which runs beside this one during an upgrade and after a rollback.
 * @param {string} name
 * @param {string} text
 * @returns {string[]}
 */
export function checkAdditions(name, text) {
  const version = Number(name.slice(0, 4));
  const [, needed] = contraction.exec(name) ?? [];
  if (needed !== undefined) return Number(needed) < version ? [] : [`${name} needs a version before its own`];
  const statements = text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(body, '')
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  const added = listAdded(statements);
  return statements.filter((one) => !isAddition(one, added)).map((one) => `${name} does more than add: ${one.split('\n', 1)[0]}`);
}

if (import.meta.main) {
  const folder = path.join(import.meta.dirname, '../migrations');
  const names = readdirSync(folder);
  const remedies = {
    number: 'Numbers are given in the order of landing: take the next one that is free.',
    addition:
      'Add now and take away in a later release, in a migration named NNNN_name_needs_MMMM.sql (docs/operate/upgrades.md).',
  };
  const problems = [
    ...checkMigrations(names)
      .slice(0, 1)
      .map((problem) => `${problem}\n    ${remedies.number}`),
    ...names
      .filter((name) => Number(name.slice(0, 4)) >= firstChecked)
      .flatMap((name) => checkAdditions(name, readFileSync(path.join(folder, name), 'utf8')))
      .map((problem) => `${problem}\n    ${remedies.addition}`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
