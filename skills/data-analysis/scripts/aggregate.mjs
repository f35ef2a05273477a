// Usage: node aggregate.mjs TABLE.csv --by A,B [--sum X] [--mean X] [--min X] [--max X] [--median X] [--count]
//        [--where 'A>=1'] [--sort COLUMN[:desc]] [--top N] [--out FILE]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { median, readTable, round, toNumber, writeCsv } from './table.mjs';

const text = { type: 'string' };
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    by: text,
    sum: text,
    mean: text,
    min: text,
    max: text,
    median: text,
    sort: text,
    top: text,
    out: text,
    count: { type: 'boolean' },
    where: { type: 'string', multiple: true },
  },
});
const { columns, rows } = readTable(positionals[0]);

function columnIndex(name) {
  const index = columns.indexOf(name.trim());
  if (index === -1) throw new Error(`there is no column ${name}; the columns are ${columns.join(', ')}`);
  return index;
}

const comparisons = {
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '=': (a, b) => a === b,
  '~': (a, b) => String(a).includes(String(b)),
};

function readCondition(condition) {
  const found = /^(.+?)(>=|<=|!=|>|<|=|~)(.*)$/.exec(condition);
  if (!found) throw new Error(`--where ${condition}: write COLUMN=VALUE, with =, !=, <, <=, >, >= or ~`);
  const [, name, sign, wanted] = found;
  const at = columnIndex(name);
  return (row) => {
    const [a, b] = [toNumber(row[at]), toNumber(wanted)];
    const areNumbers = sign !== '~' && a !== null && b !== null;
    return comparisons[sign](areNumbers ? a : (row[at] ?? '').trim(), areNumbers ? b : wanted.trim());
  };
}

const operations = {
  sum: (numbers) => numbers.reduce((total, value) => total + value, 0),
  mean: (numbers) => numbers.reduce((total, value) => total + value, 0) / numbers.length,
  min: (numbers) => numbers.reduce((a, b) => Math.min(a, b)),
  max: (numbers) => numbers.reduce((a, b) => Math.max(a, b)),
  median,
};

const conditions = (given.where ?? []).map(readCondition);
const keys = (given.by ?? '').split(',').filter(Boolean).map(columnIndex);
const wanted = Object.keys(operations).flatMap((operation) =>
  (given[operation] ?? '')
    .split(',')
    .filter(Boolean)
    .map((name) => ({ operation, name: name.trim(), at: columnIndex(name) })),
);
const kept = rows.filter((row) => conditions.every((holds) => holds(row)));
const groups = Map.groupBy(kept, (row) => keys.map((at) => row[at] ?? '').join('\u0001'));

const header = [
  ...keys.map((at) => columns[at]),
  ...(given.count ? ['count'] : []),
  ...wanted.map(({ operation, name }) => `${name}_${operation}`),
];
let result = [...groups.values()].map((members) => [
  ...keys.map((at) => members[0][at] ?? ''),
  ...(given.count ? [members.length] : []),
  ...wanted.map(({ operation, at }) => {
    const numbers = members.map((row) => toNumber(row[at])).filter((value) => value !== null);
    return numbers.length === 0 ? '' : round(operations[operation](numbers));
  }),
]);

if (given.sort) {
  const isDown = given.sort.endsWith(':desc');
  const at = header.indexOf(given.sort.replace(/:desc$/, ''));
  if (at === -1) throw new Error(`--sort ${given.sort}: the columns of the result are ${header.join(', ')}`);
  const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
  result.sort((a, b) => compare(a[at], b[at]) * (isDown ? -1 : 1));
}
if (given.top) result = result.slice(0, Number(given.top));

const csv = writeCsv([header, ...result]);
if (given.out) {
  writeFileSync(given.out, csv);
  console.log(`${given.out}: ${result.length} groups of ${kept.length} rows (${rows.length - kept.length} left out)`);
} else process.stdout.write(csv);
