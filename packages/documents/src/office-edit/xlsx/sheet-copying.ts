import { invalidField } from '@errand/base/fault.ts';
import { cloneNode, type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { type CopyRule, copyPart } from '../package/part-copying.ts';
import { listFormulas } from './formula-parts.ts';
import { mapReferences, writeReference } from './formula-references.ts';
import { checkName } from './sheet-changes.ts';
import { placeEntry } from './sheet-order.ts';
import { sheetSpace } from './sheet-space.ts';
import { listTables } from './tables.ts';
import { relationAttributes, type Sheet, type Workbook } from './workbook.ts';

const shared = new Set(['image', 'printerSettings', 'hyperlink', 'theme']);
/** What belongs to one place of the workbook alone. */
const dropped = /^(pivotTable|slicer|timeline|queryTable|ctrlProp|control|oleObject|package|threadedComment)$/i;

const rule: CopyRule = (type) => (shared.has(type) ? 'share' : dropped.test(type) ? 'drop' : 'copy');

function checkCopyable(workbook: Workbook, { name, part }: Sheet): void {
  const hindrance = workbook.parts.relations(part).find(({ type }) => dropped.test(type));
  if (!hindrance) return;
  const what = `${JSON.stringify(name)} has a ${hindrance.type}, which only a spreadsheet program can copy`;
  throw invalidField('sheet', `${what}. Add a sheet and set its cells instead.`);
}

/** Gives the tables of a copy names and numbers of their own; the new names by the old ones, in lower case. */
function renameTables(workbook: Workbook, copy: Sheet): Map<string, string> {
  const all = workbook.sheets().flatMap((sheet) => listTables(workbook, sheet));
  const own = all.filter(({ sheet }) => sheet.part === copy.part);
  const taken = new Set(all.map(({ name }) => name.toLowerCase()));
  let number = all.reduce((most, { root }) => Math.max(most, Number(root.attribute('id') ?? 0)), 0);
  return new Map(
    own.map(({ name, root }) => {
      let at = 2;
      while (taken.has(`${name}_${at}`.toLowerCase())) at++;
      const given = `${name}_${at}`;
      taken.add(given.toLowerCase());
      root.setAttribute('id', String(++number));
      for (const field of ['name', 'displayName']) root.setAttribute(field, given);
      return [name.toLowerCase(), given];
    }),
  );
}

/** Lets what was copied read the copy where it read its source. */
function readCopy(workbook: Workbook, source: Sheet, copy: Sheet, copied: ReadonlySet<string>): void {
  const tables = renameTables(workbook, copy);
  const old = source.name.toLowerCase();
  const redirect = (text: string) =>
    mapReferences(text, (reference) =>
      reference.sheet?.toLowerCase() === old ? writeReference({ ...reference, sheet: copy.name }) : null,
    ).replaceAll(/[\p{L}_\\][\p{L}\p{N}_.]*(?=\[)/gu, (name) => tables.get(name.toLowerCase()) ?? name);
  const roots = new Set([...copied].map((part) => workbook.parts.root(part)));
  for (const { element } of listFormulas(workbook, () => true)) {
    let top: MarkupElement = element;
    while (top.parent) top = top.parent;
    const text = roots.has(top) ? redirect(element.text) : element.text;
    if (text !== element.text) element.text = text;
  }
}

/** What only the source may have: its name in macros, and that it is the one that is shown. */
function dropMarks(workbook: Workbook, { part }: Sheet): void {
  const root = workbook.parts.root(part);
  root.child(sheetSpace, 'sheetPr')?.setAttribute('codeName', null);
  for (const view of root.child(sheetSpace, 'sheetViews')?.elements ?? []) view.setAttribute('tabSelected', null);
  for (const local of ['controls', 'oleObjects']) {
    const element = root.child(sheetSpace, local);
    if (element) removeNode(element);
  }
}

/** Names that hold for the source alone, such as its print area, hold for the copy too. */
function copyNames(workbook: Workbook, source: Sheet, copy: Sheet): void {
  const list = workbook.root.child(sheetSpace, 'definedNames');
  const entries = workbook.root.child(sheetSpace, 'sheets')?.elements ?? [];
  const [from, to] = [entries.indexOf(source.entry), entries.indexOf(copy.entry)].map(String);
  for (const name of list?.elements.filter((each) => each.attribute('localSheetId') === from) ?? []) {
    const own = cloneNode(name);
    own.setAttribute('localSheetId', to ?? null);
    own.text = mapReferences(own.text, (reference) =>
      reference.sheet?.toLowerCase() === source.name.toLowerCase() ? writeReference({ ...reference, sheet: copy.name }) : null,
    );
    list?.append(own);
  }
}

/** Copies a sheet with its formats, tables, and charts, which read the copy; after it or at a position. */
export function copySheet(workbook: Workbook, from: string, given: string, position: number | undefined): string {
  const source = workbook.sheet(from);
  const name = checkName(workbook, given);
  checkCopyable(workbook, source);
  const { parts, main, root } = workbook;
  const copies = new Map<string, string>();
  const part = copyPart(parts, source.part, rule, copies);
  const entry = cloneNode(source.entry);
  const entries = root.child(sheetSpace, 'sheets')?.elements ?? [];
  const number = entries.reduce((most, each) => Math.max(most, Number(each.attribute('sheetId') ?? 0)), 0) + 1;
  entry.setAttribute('name', name);
  entry.setAttribute('sheetId', String(number));
  entry.setAttribute('id', parts.relate(main, 'worksheet', part), relationAttributes);
  placeEntry(workbook, entry, position ?? entries.indexOf(source.entry) + 2, entries);
  const copy = workbook.sheet(name);
  dropMarks(workbook, copy);
  readCopy(workbook, source, copy, new Set([...copies.values()].filter((each) => each.endsWith('.xml'))));
  copyNames(workbook, source, copy);
  workbook.hasNewFormulas = true;
  return `copied the sheet ${JSON.stringify(source.name)} to ${JSON.stringify(name)}`;
}
