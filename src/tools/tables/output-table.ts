import { invalidField } from '@errand/base/fault.ts';
import type { TableRows } from '@errand/documents/table-file';
import { checkOutputSchema } from '../../rules/output/output-schema.ts';
import type { RowResult } from '../../rules/rows/row-work.ts';
import { describeLimits } from './row-schema.ts';

/** The column that says why a row has no answer; only if there is such a row. */
const errorColumn = 'map_error';

const limits = { bytes: 16_384, properties: 100 };

type Schema = Record<string, unknown>;

function propertiesOf({ properties }: Schema): string[] {
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

/** The schema of an answer: what every one needs is filled in on its first level, where models forget it. */
export function readRowSchema(given: Schema, columns: readonly string[]): Schema {
  const described = describeLimits(given) as Schema;
  const schema = { type: 'object', required: propertiesOf(described), additionalProperties: false, ...described };
  const problem = checkOutputSchema(schema, limits);
  if (problem !== null) throw invalidField('schema', problem.replace(/^structured_output_schema: /, ''));
  const names = propertiesOf(schema);
  if (names.length === 0) throw invalidField('schema', 'it needs properties: each becomes a column.');
  const taken = names.find((name) => name === errorColumn || columns.includes(name));
  if (taken === undefined) return schema;
  throw invalidField('schema', `there is a column ${JSON.stringify(taken)} already. Give the property another name.`);
}

function readCell(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** The table with the answers as further columns, in the order of its rows; those that were not to be mapped are left out. */
export function joinResults({ columns, rows }: TableRows, schema: Schema, results: readonly RowResult[]): TableRows {
  const names = propertiesOf(schema);
  // An earlier run may have left its error column.
  const kept = columns.flatMap((column, at) => (column === errorColumn ? [] : [at]));
  const hasFailed = results.some(({ state }) => state === 'failed');
  const joined = results.map((result, at) => {
    const answers = names.map((name) => (result.state === 'done' ? readCell(result.value, name) : undefined));
    const reason = result.state === 'failed' ? result.reason : undefined;
    return [...kept.map((column) => rows[at]?.[column]), ...answers, ...(hasFailed ? [reason] : [])];
  });
  const header = [...kept.map((at) => columns[at] ?? ''), ...names, ...(hasFailed ? [errorColumn] : [])];
  return { columns: header, rows: joined };
}
