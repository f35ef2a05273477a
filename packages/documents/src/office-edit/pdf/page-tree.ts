import { PDFArray, type PDFDocument, PDFDict, PDFName, type PDFObject, type PDFPage, PDFRef, PDFStream } from '@cantoo/pdf-lib';

const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name));

/** What a value leads to directly. */
function listParts(value: PDFObject): readonly PDFObject[] {
  if (value instanceof PDFStream) return value.dict.values();
  if (value instanceof PDFDict) return value.values();
  return value instanceof PDFArray ? value.asArray() : [];
}

/** Removes every object that nothing leads to, so that what was taken out of a file is not in it. */
function removeUnreachable({ context }: PDFDocument): void {
  const { Root, Info, ID } = context.trailerInfo;
  const waiting = [Root, Info, ID].filter((value) => value !== undefined);
  const reached = new Set<PDFRef>();
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    if (value instanceof PDFRef) {
      const target = reached.has(value) ? undefined : context.lookup(value);
      reached.add(value);
      if (target) waiting.push(target);
    } else for (const part of listParts(value)) waiting.push(part);
  }
  for (const [reference] of context.enumerateIndirectObjects()) if (!reached.has(reference)) context.delete(reference);
}

/** Takes the fields of pages that go out of the form. */
function removeFields(document: PDFDocument, gone: ReadonlySet<PDFRef>): void {
  if (!document.catalog.AcroForm()) return;
  const form = document.getForm();
  for (const field of form.getFields()) {
    const widgets = field.acroField.getWidgets();
    const isGone =
      widgets.length > 0 && widgets.every((widget) => gone.has(document.context.getObjectRef(widget.dict) ?? field.ref));
    if (isGone) form.removeField(field);
  }
}

function listAnnotations(page: PDFPage): PDFRef[] {
  return (page.node.Annots()?.asArray() ?? []).filter((each) => each instanceof PDFRef);
}

/**
 * Gives a file these of its pages in this order. What only the other pages have is no longer in the file; bookmarks and the tags for screen
 * readers, which may quote them, go with the first page that goes.
 *
 * @param numbers from 1, each once
 */
export function arrangePages(document: PDFDocument, numbers: readonly number[]): void {
  const { catalog, context } = document;
  const pages = document.getPages();
  const kept = numbers.flatMap((number) => pages[number - 1] ?? []);
  const left = pages.filter((page) => !kept.includes(page));
  for (const { node } of kept) {
    for (const name of inherited) {
      const value = node.getInheritableAttribute(name);
      if (value) node.set(name, value);
    }
  }
  const root = catalog.get(PDFName.of('Pages'));
  const tree = catalog.Pages();
  tree.set(PDFName.of('Kids'), context.obj(kept.map(({ ref }) => ref)));
  tree.set(PDFName.of('Count'), context.obj(kept.length));
  for (const { node } of kept) if (root instanceof PDFRef) node.setParent(root);
  if (left.length > 0) {
    const annotations = new Set(left.flatMap(listAnnotations));
    removeFields(document, annotations);
    for (const name of ['Outlines', 'StructTreeRoot', 'MarkInfo', 'PageLabels', 'Threads']) catalog.delete(PDFName.of(name));
    for (const reference of [...left.map(({ ref }) => ref), ...annotations]) context.delete(reference);
  }
  removeUnreachable(document);
}
