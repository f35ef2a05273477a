import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrationToPostgres, migrationToSqlite, toPostgres, toSqlite } from './dialect.ts';

describe('the two dialects', () => {
  it('number parameters for PostgreSQL', () => {
    expect(toPostgres('SELECT ? WHERE a = ? AND b IN (?, ?)')).toBe('SELECT $1 WHERE a = $2 AND b IN ($3, $4)');
  });

  it('cluster tables by their key only where that exists', () => {
    const table = 'CREATE TABLE t (a TEXT COLLATE "C", PRIMARY KEY (a)\n) WITHOUT ROWID;';
    expect(toPostgres(table)).toBe('CREATE TABLE t (a TEXT COLLATE "C", PRIMARY KEY (a)\n);');
    expect(toSqlite(table)).toBe('CREATE TABLE t (a TEXT, PRIMARY KEY (a)\n) WITHOUT ROWID;');
  });

  it('name an index only where the planner would choose another', () => {
    const text = 'SELECT a FROM t INDEXED BY i\n WHERE a = 1';
    expect(toPostgres(text)).toBe('SELECT a FROM t\n WHERE a = 1');
    expect(toSqlite(text)).toBe(text);
  });

  it('lock rows only where there is more than one writer', () => {
    expect(toSqlite('SELECT a FROM t FOR UPDATE')).toBe('SELECT a FROM t');
    expect(toSqlite('SELECT a FROM t LIMIT ?\n  FOR UPDATE OF t SKIP LOCKED')).toBe('SELECT a FROM t LIMIT ?');
    expect(toPostgres('SELECT a FROM t FOR UPDATE SKIP LOCKED')).toBe('SELECT a FROM t FOR UPDATE SKIP LOCKED');
  });

  it('have lines of a migration each for itself', () => {
    const text =
      'CREATE TABLE a (b INT);\n-- only SQLite\nCREATE TABLE c (d INT);\n-- only PostgreSQL\nCREATE TABLE e (f INT);\n-- both\nDROP TABLE a;';
    expect(migrationToSqlite(text)).toBe('CREATE TABLE a (b INT);\nCREATE TABLE c (d INT);\nDROP TABLE a;');
    expect(migrationToPostgres(text)).toBe('CREATE TABLE a (b INT);\nCREATE TABLE e (f INT);\nDROP TABLE a;');
    expect(migrationToSqlite('DROP TABLE a;')).toBe('DROP TABLE a;');
  });

  it('give the same text each time', () => {
    for (let count = 0; count < 2; count += 1) expect(toPostgres('SELECT ?')).toBe('SELECT $1');
  });

  it('leave literals, quoted names and comments unchanged', () => {
    const kept = `SELECT 'it''s ? FOR UPDATE', "a ? INDEXED BY b" -- why? FOR UPDATE\n/* ? COLLATE "C" WITHOUT ROWID */`;
    expect(toSqlite(kept)).toBe(kept);
    expect(toPostgres(`${kept} WHERE a = ?`)).toBe(`${kept} WHERE a = $1`);
  });

  it('find a phrase across comments and line ends', () => {
    expect(toSqlite('SELECT a FROM t\n  FOR /* why */ UPDATE\n  SKIP LOCKED')).toBe('SELECT a FROM t');
  });

  it('never change the value of a literal', () => {
    using database = new DatabaseSync(':memory:');
    const pieces = fc.constantFrom("'", '"', '?', '--', '/*', '*/', ' ', '\n', 'FOR UPDATE', 'COLLATE "C"', 'INDEXED BY i', 'x');
    fc.assert(
      fc.property(
        fc.array(
          fc.array(pieces).map((parts) => parts.join('')),
          { minLength: 1, maxLength: 4 },
        ),
        (values) => {
          const literals = values.map((value) => `'${value.replaceAll("'", "''")}'`);
          const text = `SELECT ${literals.map((literal, index) => `${literal} AS v${index}, ? AS p${index}`).join(', ')}`;
          const row = database.prepare(toSqlite(text)).get(...values) ?? {};
          expect(Object.values(row)).toEqual(values.flatMap((value) => [value, value]));
          const numbered = literals.map((literal, index) => `${literal} AS v${index}, $${index + 1} AS p${index}`);
          expect(toPostgres(text)).toBe(`SELECT ${numbered.join(', ')}`);
        },
      ),
    );
  });
});
