import { invalidField } from '@errand/base/fault.ts';
import { type CellReference, type Expression, parseFormula } from './formula-parser.ts';
import { nameColumn, quoteSheet, type SheetModel, type WorkbookName } from './sheet-model.ts';
import type { WorkbookSpec } from './workbook-spec.ts';

type NameSpecs = WorkbookSpec['names'];

/** A word that is a cell, or a row and column of the older way to write them. */
const cellName = /^(?:[A-Z]{1,3}\d+|R\d*C?\d*|C\d*)$/;

/** What the names of a workbook stand for, by names in capitals. */
export function readNames(specs: NameSpecs): Map<string, Expression> {
  const names = new Map<string, Expression>();
  for (const [at, { name, range }] of specs.entries()) {
    const known = name.toUpperCase();
    if (cellName.test(known) || known === 'TRUE' || known === 'FALSE')
      throw invalidField(`names.${at}.name`, `${JSON.stringify(name)} is a cell. Take a word that is none.`);
    if (names.has(known)) throw invalidField(`names.${at}.name`, `there are two names ${JSON.stringify(name)}.`);
    const meant = parseFormula(`=${range}`);
    const isPlace = (meant.type === 'cell' && meant.at.sheet) || (meant.type === 'range' && meant.from.sheet);
    if (!isPlace) throw invalidField(`names.${at}.range`, 'must be a cell or range with its sheet, such as "Sales!B2:B13".');
    names.set(known, meant);
  }
  return names;
}

function write({ row, column }: CellReference): string {
  return `$${nameColumn(column)}$${row + 1}`;
}

/** The names as files have them. */
export function nameRanges(
  names: ReadonlyMap<string, Expression>,
  specs: NameSpecs,
  sheets: readonly SheetModel[],
): WorkbookName[] {
  return specs.map(({ name, range }, at) => {
    const meant = names.get(name.toUpperCase());
    const [from, to] =
      meant?.type === 'cell' ? [meant.at, null] : meant?.type === 'range' ? [meant.from, meant.to] : [null, null];
    const sheet = sheets.find((each) => each.name.toLowerCase() === from?.sheet?.toLowerCase());
    if (!from || !sheet) throw invalidField(`names.${at}.range`, `"${range}" is on no sheet of the workbook.`);
    return { name, range: `${quoteSheet(sheet.name)}!${write(from)}${to ? `:${write(to)}` : ''}` };
  });
}
