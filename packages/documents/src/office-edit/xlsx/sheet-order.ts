import { invalidField } from '@errand/base/fault.ts';
import { type MarkupElement, removeNode } from '../markup/markup-tree.ts';
import { sheetSpace } from './sheet-space.ts';
import type { Workbook } from './workbook.ts';

function listEntries({ root }: Workbook): MarkupElement[] {
  return root.child(sheetSpace, 'sheets')?.elements ?? [];
}

/** Names and views of a workbook count its sheets: they follow those that they mean. */
function renumber(workbook: Workbook, before: readonly MarkupElement[]): void {
  const after = listEntries(workbook);
  const numberOf = (old: string | undefined) => {
    const entry = before[Number(old)];
    return entry ? String(after.indexOf(entry)) : undefined;
  };
  const { root } = workbook;
  for (const name of root.child(sheetSpace, 'definedNames')?.elements ?? []) {
    const number = numberOf(name.attribute('localSheetId'));
    if (number !== undefined) name.setAttribute('localSheetId', number);
  }
  for (const view of root.child(sheetSpace, 'bookViews')?.elements ?? []) {
    for (const field of ['activeTab', 'firstSheet']) {
      const number = numberOf(view.attribute(field) ?? '0');
      if (number !== undefined && (number !== '0' || view.attribute(field) !== undefined)) view.setAttribute(field, number);
    }
  }
}

/** Puts the entry of a sheet at a position, from 1; it may be new. */
export function placeEntry(workbook: Workbook, entry: MarkupElement, position: number, before = listEntries(workbook)): void {
  const list = workbook.root.child(sheetSpace, 'sheets');
  const others = listEntries(workbook).filter((each) => each !== entry);
  if (position > others.length + 1) throw invalidField('position', `must be from 1 to ${others.length + 1}.`);
  if (!list) return;
  if (entry.parent) removeNode(entry);
  const next = others[position - 1];
  if (next) list.insertAt(list.children.indexOf(next), [entry]);
  else list.append(entry);
  renumber(workbook, before);
}

/** The entry of the sheet at which programs open the workbook. */
function findOpened(workbook: Workbook): MarkupElement | undefined {
  const [view] = workbook.root.child(sheetSpace, 'bookViews')?.elements ?? [];
  return listEntries(workbook)[Number(view?.attribute('activeTab') ?? 0)];
}

/** Lets programs open the workbook at its first sheet, and no longer at another one: two that are selected would be edited together. */
function openFirst(workbook: Workbook, opened: MarkupElement | undefined): void {
  for (const view of workbook.root.child(sheetSpace, 'bookViews')?.elements ?? []) {
    view.setAttribute('activeTab', '0');
    view.setAttribute('firstSheet', null);
  }
  const [first] = listEntries(workbook);
  for (const sheet of workbook.sheets()) {
    if (sheet.entry !== first && sheet.entry !== opened) continue;
    for (const view of workbook.grid(sheet).root.child(sheetSpace, 'sheetViews')?.elements ?? [])
      view.setAttribute('tabSelected', sheet.entry === first ? '1' : null);
  }
}

/** Moves a sheet to another position among the sheets; the one that is moved to the front is the one that opens. */
export function moveSheet(workbook: Workbook, name: string, position: number): string {
  const { entry, name: own } = workbook.sheet(name);
  const opened = findOpened(workbook);
  placeEntry(workbook, entry, position);
  if (position === 1 && entry.attribute('state') === undefined) openFirst(workbook, opened);
  return `moved the sheet ${JSON.stringify(own)}, which is number ${position} now`;
}
