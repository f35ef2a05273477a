import { Fault, invalidField } from '@errand/base/fault.ts';
import { cleanLine } from '../clean-text.ts';
import { lastRowOf, readPlace, type SheetModel, type SheetTable } from './sheet-model.ts';
import { ProblemList } from '../problem-list.ts';
import { buildTable, type TableContext } from './table-builder.ts';
import type { SheetSpec } from './workbook-spec.ts';

/** The headers of a table below a title: title, subtitle, a row of air. */
const rowBelowTitle = 3;

function checkName(name: string, field: string): string {
  const clean = cleanLine(name);
  const isWrong =
    clean === '' || clean.length > 31 || /[\\/?*[\]:]/.test(clean) || /^'|'$/.test(clean) || /^history$/i.test(clean);
  if (isWrong)
    throw invalidField(
      `${field}.name`,
      `${JSON.stringify(clean)} cannot name a sheet: 1 to 31 characters without \\ / ? * [ ] : and no quote at an end.`,
    );
  return clean;
}

/** Where a table is, with its heading. */
function boundsOf(table: SheetTable) {
  const top = table.row - (table.heading === '' ? 0 : 1);
  return { top, bottom: lastRowOf(table), left: table.column, right: table.column + table.columns.length - 1 };
}

function checkPlaces(tables: readonly SheetTable[], firstRow: number, field: string): void {
  for (const [at, table] of tables.entries()) {
    const own = boundsOf(table);
    const name = `${field}.tables.${at - 1}.at`;
    if (own.top < (at === 0 ? 0 : firstRow))
      throw invalidField(name, 'leaves no room for what stands above. Begin further down.');
    const hit = tables.slice(0, at).find((other) => {
      const there = boundsOf(other);
      return own.top <= there.bottom && there.top <= own.bottom && own.left <= there.right && there.left <= own.right;
    });
    if (hit) throw invalidField(name, `lies on a table that ends in row ${boundsOf(hit).bottom + 1}. Begin below or beside it.`);
  }
}

/** A sheet with typed cells; formulas are checked, not yet computed. */
export async function buildSheet(spec: SheetSpec, index: number, context: TableContext): Promise<SheetModel> {
  const field = `sheets.${index}`;
  const [title, subtitle] = [cleanLine(spec.title), cleanLine(spec.subtitle)];
  const row = title === '' ? 0 : rowBelowTitle;
  if (title === '' && subtitle !== '') throw invalidField(`${field}.subtitle`, 'stands below a title. Give title too.');
  const problems = new ProblemList();
  const name = await problems.try(() => checkName(spec.name, field));
  const first = await problems.try(() => buildTable(spec, { row, column: 0, heading: '', field }, context));
  const further: SheetTable[] = [];
  for (const [at, table] of (spec.tables ?? []).entries()) {
    const place = { ...readPlace(table.at), heading: cleanLine(table.heading), field: `${field}.tables.${at}` };
    const built = await problems.try(() => buildTable(table, place, context));
    if (built) further.push(built);
  }
  problems.throwAny();
  if (name === undefined || !first) throw new Fault('internal', 'a sheet without problems is whole');
  checkPlaces([first, ...further], row, field);
  return {
    ...{ name, title, subtitle, tables: [first, ...further] },
    isFrozen: spec.freeze,
    frozenColumns: spec.freeze_columns,
    hasFilter: spec.filter && first.rows.length > 0 && further.length === 0,
    charts: spec.charts ?? [],
    print: spec.print,
  };
}
