// Usage: node profile.mjs TABLE.csv [--json]
import { median, readTable, round, toNumber } from './table.mjs';

const [path, flag] = process.argv.slice(2);
if (!path) {
  console.error('usage: node profile.mjs TABLE.csv [--json]');
  process.exit(64);
}

function describeNumbers(numbers) {
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(numbers.length - 1, 1);
  let [min, max] = [numbers[0], numbers[0]];
  for (const value of numbers) [min, max] = [Math.min(min, value), Math.max(max, value)];
  return { min, max, mean: round(mean), median: round(median(numbers)), deviation: round(Math.sqrt(variance)) };
}

function describeColumn(name, values) {
  const present = values.filter((value) => value.trim() !== '');
  const numbers = present.map(toNumber).filter((value) => value !== null);
  const counts = new Map();
  for (const value of present) counts.set(value, (counts.get(value) ?? 0) + 1);
  const top = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([value, count]) => ({ value, count }));
  const isNumber = present.length > 0 && numbers.length === present.length;
  const isDate = !isNumber && present.length > 0 && present.every((value) => /^\d{4}-\d{2}-\d{2}/.test(value.trim()));
  const type = present.length === 0 ? 'empty' : isNumber ? 'number' : isDate ? 'date' : 'text';
  const facts = { name, type, missing: values.length - present.length, distinct: counts.size };
  if (isNumber) return { ...facts, ...describeNumbers(numbers) };
  if (isDate) {
    const sorted = present.map((value) => value.trim()).sort();
    return { ...facts, first: sorted[0], last: sorted.at(-1), top };
  }
  return numbers.length > 0 ? { ...facts, numeric: numbers.length, top } : { ...facts, top };
}

const { columns, rows } = readTable(path);
const profile = {
  rows: rows.length,
  columns: columns.map((name, at) =>
    describeColumn(
      name,
      rows.map((row) => row[at] ?? ''),
    ),
  ),
};
const duplicates = rows.length - new Set(rows.map((row) => row.join('\u0001'))).size;

if (flag === '--json') console.log(JSON.stringify({ ...profile, duplicates }, null, 2));
else {
  console.log(`${path}: ${rows.length} rows, ${columns.length} columns, ${duplicates} duplicate rows`);
  for (const { name, type, top = [], ...facts } of profile.columns) {
    const told = Object.entries(facts).map(([fact, value]) => `${fact} ${value}`);
    const values = top.length > 0 ? `; most frequent: ${top.map(({ value, count }) => `${value} (${count})`).join(', ')}` : '';
    console.log(`- ${name}: ${type}, ${told.join(', ')}${values}`);
  }
}
