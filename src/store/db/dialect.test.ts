import { describe, expect, it } from 'vitest';
import { toPostgres, toSqlite } from './dialect.ts';

describe('the two dialects', () => {
  it('number parameters for PostgreSQL', () => {
    expect(toPostgres('SELECT ? WHERE a = ? AND b IN (?, ?)')).toBe('SELECT $1 WHERE a = $2 AND b IN ($3, $4)');
  });

  it('cluster tables by their key only where that exists', () => {
    const table = 'CREATE TABLE t (a TEXT COLLATE "C", PRIMARY KEY (a)\n) WITHOUT ROWID;';
    expect(toPostgres(table)).toBe('CREATE TABLE t (a TEXT COLLATE "C", PRIMARY KEY (a)\n);');
    expect(toSqlite(table)).toBe('CREATE TABLE t (a TEXT, PRIMARY KEY (a)\n) WITHOUT ROWID;');
  });

  it('name an index only where the planner would take another', () => {
    const text = 'SELECT a FROM t INDEXED BY i\n WHERE a = 1';
    expect(toPostgres(text)).toBe('SELECT a FROM t\n WHERE a = 1');
    expect(toSqlite(text)).toBe(text);
  });

  it('lock rows only where there is more than one writer', () => {
    expect(toSqlite('SELECT a FROM t FOR UPDATE')).toBe('SELECT a FROM t');
    expect(toSqlite('SELECT a FROM t LIMIT ?\n  FOR UPDATE OF t SKIP LOCKED')).toBe('SELECT a FROM t LIMIT ?');
    expect(toPostgres('SELECT a FROM t FOR UPDATE SKIP LOCKED')).toBe('SELECT a FROM t FOR UPDATE SKIP LOCKED');
  });

  it('give the same text each time', () => {
    for (let count = 0; count < 2; count += 1) expect(toPostgres('SELECT ?')).toBe('SELECT $1');
  });
});
