import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { adminOperations, operations, webOperations } from '../../src/api/index.ts';
import { handlerTimeoutMs } from '../../src/http/server/request-traffic.ts';
import { legacyOperations } from '../../src/legacy/index.ts';

const text = readFileSync(new URL('../../docs/internals/bounds.md', import.meta.url), 'utf8');
const [waiting = '', background = ''] = text
  .slice(text.indexOf('## Time'))
  .split('\n\n')
  .filter((block) => block.startsWith('| operation'));

/** Cells of the rows of a table, without its head. */
function readRows(table: string): string[][] {
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const slow = readRows(waiting);
const known = new Set([...operations, ...adminOperations, ...webOperations, ...legacyOperations].map(({ name }) => name));
const streams = ['task.stream', 'share.stream', 'task.watch', 'task.watchBrowser'];

it('every operation of the tables of slow operations exists', () => {
  const named = [...slow, ...readRows(background)].flatMap(([cell]) => namesIn(cell));
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('every operation that ends its work when its caller leaves is in the table', () => {
  const folder = new URL('../../src/api/', import.meta.url).pathname;
  const waits = globSync(`${folder}**/*.*.ts`)
    .filter((file) => !file.endsWith('.test.ts') && /\bsignal\b/.test(readFileSync(file, 'utf8')))
    .map((file) => path.basename(file, '.ts'));
  const named = new Set([...slow.flatMap(([cell]) => namesIn(cell)), ...streams]);
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.filter((name) => !named.has(name))).toEqual([]);
});

it('no operation of the service waits longer than the server waits for its handler', () => {
  const isOperators = (cell = '') => namesIn(cell).every((name) => name.startsWith('operator.'));
  const limits = slow.filter(([cell]) => !isOperators(cell)).map(([, , seconds = '']) => Number.parseInt(seconds, 10) * 1000);
  expect(Math.max(...limits)).toBeLessThan(handlerTimeoutMs);
});
