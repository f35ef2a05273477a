import { invalidField } from '@errand/base/fault.ts';
import { cleanLine, escapeMarkup } from '../../clean-text.ts';
import { prefixOf } from '../package/office-package.ts';
import { CellWriter } from './cell-changes.ts';
import type { GivenRow } from './row-appending.ts';
import { sheetElement } from './cell-styles.ts';
import { mapReferences, spansSheets, writeReference } from './formula-references.ts';
import { listFormulas } from './formula-parts.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Workbook } from './workbook.ts';

const worksheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
const relationAttributes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The name of a sheet that is new or renamed; throws a Fault for one that is impossible or taken. */
export function checkName(workbook: Workbook, given: string, former?: string): string {
  const name = cleanLine(given);
  if (name === '' || name.length > 31 || /[[\]:*?/\\]|^'|'$/.test(name)) {
    throw invalidField(
      'name',
      `${JSON.stringify(given)} is no name of a sheet: 1 to 31 characters, without [ ] : * ? / \\ or an apostrophe at an end.`,
    );
  }
  const taken = workbook.root.child(sheetSpace, 'sheets')?.elements.map((each) => each.attribute('name')?.toLowerCase()) ?? [];
  if (name.toLowerCase() !== former?.toLowerCase() && taken.includes(name.toLowerCase())) {
    throw invalidField('name', `there is a sheet ${JSON.stringify(name)} already.`);
  }
  return name;
}

/** Adds a sheet at the end. */
export function addSheet(workbook: Workbook, given: string, rows: readonly GivenRow[]): string {
  const name = checkName(workbook, given);
  const { parts, main, root } = workbook;
  const part = parts.freeName(`${main.slice(0, main.lastIndexOf('/') + 1)}worksheets/sheet`, '.xml');
  const s = prefixOf(root, sheetSpace);
  const declared = /\sxmlns(?::\w+)?\s*=\s*("[^"]*"|'[^']*')/g;
  const spaces = [...root.opening.matchAll(declared)].map(([each]) => each).join('');
  const content = `<${s}dimension ref="A1"/><${s}sheetData></${s}sheetData>`;
  parts.write(
    part,
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<${s}worksheet${spaces}>${content}</${s}worksheet>`,
    worksheetType,
  );
  const id = parts.relate(main, 'worksheet', part);
  const list = root.child(sheetSpace, 'sheets');
  const numbers = list?.elements.map((each) => Number(each.attribute('sheetId') ?? 0)) ?? [];
  const r = root.scope.prefixOf(relationAttributes);
  const link = r === undefined ? `xmlns:r="${relationAttributes}" r:id` : `${r}:id`;
  const number = numbers.reduce((most, each) => Math.max(most, each), 0) + 1;
  if (list)
    list.append(sheetElement((p) => `<${p}sheet name="${escapeMarkup(name)}" sheetId="${number}" ${link}="${id}"/>`, list));
  const sheet = workbook.sheet(name);
  const writer = new CellWriter(workbook, sheet);
  for (const [y, row] of rows.entries()) {
    if (!Array.isArray(row)) throw invalidField(`rows.${y}`, 'must be a list of values: a new sheet has no columns with names.');
    for (const [x, value] of (row as (string | number | boolean | null)[]).entries())
      writer.set({ row: y + 1, column: x + 1 }, value, `rows.${y}.${x}`);
  }
  return `added the sheet ${JSON.stringify(name)}`;
}

/** Renames a sheet, also where formulas, charts, names, links, and pivot tables name it. */
export function renameSheet(workbook: Workbook, former: string, given: string): string {
  const sheet = workbook.sheet(former);
  const name = checkName(workbook, given, sheet.name);
  const old = sheet.name.toLowerCase();
  for (const { element } of listFormulas(workbook, (raw) => raw.includes('!'))) {
    const { text } = element;
    if (!text.includes('!')) continue;
    if (spansSheets(text))
      throw invalidField(
        'sheet',
        `a formula reads a range of sheets (${text.slice(0, 60)}); rename it in a spreadsheet program.`,
      );
    const renamed = mapReferences(text, (reference) =>
      reference.sheet?.toLowerCase() === old ? writeReference({ ...reference, sheet: name }) : null,
    );
    if (renamed !== text) element.text = renamed;
  }
  for (const part of workbook.parts.list()) renameInPart(workbook, part, old, name);
  sheet.entry.setAttribute('name', name);
  return `renamed the sheet ${JSON.stringify(sheet.name)} to ${JSON.stringify(name)}`;
}

/** Links within the workbook, and the sources of pivot tables. */
function renameInPart(workbook: Workbook, part: string, old: string, name: string): void {
  if (/^xl\/pivotCache\/pivotCacheDefinition[^/]*\.xml$/.test(part)) {
    for (const source of workbook.parts.root(part).descendants(({ local }) => local === 'worksheetSource')) {
      if (source.attribute('sheet')?.toLowerCase() === old) source.setAttribute('sheet', name);
    }
  }
  if (!/^xl\/worksheets\/[^/]+\.xml$/.test(part)) return;
  for (const link of workbook.parts.root(part).descendants(({ local }) => local === 'hyperlink')) {
    const location = link.attribute('location');
    if (location === undefined) continue;
    const renamed = mapReferences(location, (reference) =>
      reference.sheet?.toLowerCase() === old ? writeReference({ ...reference, sheet: name }) : null,
    );
    if (renamed !== location) link.setAttribute('location', renamed);
  }
}
