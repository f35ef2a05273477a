import { PDFDocument, type PDFImage, PDFHexString, PDFName, PDFNumber, type PDFRef } from '@cantoo/pdf-lib';
import type { Run } from '../content/blocks.ts';
import { collectText } from '../content/blocks.ts';
import type { DocumentSource } from '../content/document-source.ts';
import { setBlocks, setLines } from './block-typesetter.ts';
import { FontBook } from './font-book.ts';
import { PageFlow } from './page-flow.ts';
import { accent, ink, type OutlineEntry, type Typesetting } from './typesetting.ts';
import { breakLines, drawLine, type TextStyle } from './text-lines.ts';

function plainRun(text: string): Run {
  return { text, isBold: false, isItalic: false, isCode: false, isStruck: false, link: null };
}

function setPlain(setting: Typesetting, text: string, style: TextStyle): void {
  const { flow } = setting;
  setLines(setting, breakLines([plainRun(text)], style, flow.width, flow.book), style, style.size * 1.25);
}

function setByline(setting: Typesetting, { author, date }: DocumentSource): void {
  const line = [author, date].filter((part) => part !== '').join(' · ');
  if (line === '') return;
  setting.flow.y += 8;
  setPlain(setting, line, { size: 10, color: ink.muted });
}

function setTitle(setting: Typesetting, source: DocumentSource): void {
  const { flow } = setting;
  if (source.hasTitlePage) {
    flow.y = flow.height * 0.3;
    flow.sheet.fillBox({ x: flow.left, y: flow.y - 26, width: 56, height: 5 }, accent);
  }
  setPlain(setting, source.title, { size: source.hasTitlePage ? 34 : 25, color: ink.strong, isBold: true });
  if (source.subtitle !== '') {
    flow.y += 6;
    setPlain(setting, source.subtitle, { size: source.hasTitlePage ? 16 : 13, color: ink.muted });
  }
  setByline(setting, source);
  if (source.hasTitlePage) return flow.addPage();
  flow.y += 14;
  flow.sheet.fillBox({ x: flow.left, y: flow.y, width: flow.width, height: 1.4 }, accent);
  flow.y += 4;
}

function setFooters(flow: PageFlow, source: DocumentSource): void {
  const style: TextStyle = { size: 8.5, color: ink.muted };
  for (const [at, sheet] of flow.sheets.entries()) {
    if (at === 0 && source.hasTitlePage) continue;
    const y = flow.height - 36;
    const [title] = breakLines([plainRun(source.title)], style, flow.width * 0.75, flow.book);
    if (title) drawLine(sheet, title, flow.left, y, style);
    const [number] = breakLines([plainRun(`${at + 1} / ${flow.sheets.length}`)], style, 200, flow.book);
    if (number) drawLine(sheet, number, flow.left + flow.width - number.width, y, style);
  }
}

interface OutlineNode extends OutlineEntry {
  reference: PDFRef;
  children: OutlineNode[];
}

/** Headings as a tree: each belongs to the nearest preceding one of a higher rank. */
function nestOutline(document: PDFDocument, entries: readonly OutlineEntry[]): OutlineNode[] {
  const roots: OutlineNode[] = [];
  const open: OutlineNode[] = [];
  for (const entry of entries) {
    const node: OutlineNode = { ...entry, reference: document.context.nextRef(), children: [] };
    while ((open.at(-1)?.level ?? 0) >= entry.level) open.pop();
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  }
  return roots;
}

function writeOutline(flow: PageFlow, nodes: readonly OutlineNode[], parent: PDFRef): void {
  const { context } = flow.document;
  for (const [at, { reference, title, place, children }] of nodes.entries()) {
    const page = flow.sheets[place.pageNumber - 1]?.page.ref;
    const [previous, next, first, last] = [nodes[at - 1], nodes[at + 1], children[0], children.at(-1)];
    const entry = context.obj({
      Title: PDFHexString.fromText(title),
      Parent: parent,
      ...(page ? { Dest: [page, 'XYZ', 0, flow.height - place.y + 6, PDFNumber.of(0)] } : {}),
      ...(previous ? { Prev: previous.reference } : {}),
      ...(next ? { Next: next.reference } : {}),
      ...(first && last ? { First: first.reference, Last: last.reference, Count: -children.length } : {}),
    });
    context.assign(reference, entry);
    writeOutline(flow, children, reference);
  }
}

function addOutline(flow: PageFlow, entries: readonly OutlineEntry[]): void {
  const { document } = flow;
  const nodes = nestOutline(document, entries);
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (!first || !last) return;
  const root = document.context.nextRef();
  writeOutline(flow, nodes, root);
  const entry = { Type: 'Outlines', First: first.reference, Last: last.reference, Count: nodes.length };
  document.context.assign(root, document.context.obj(entry));
  document.catalog.set(PDFName.of('Outlines'), root);
}

async function embedImages(document: PDFDocument, { images }: DocumentSource): Promise<Map<string, PDFImage>> {
  const embedded = new Map<string, PDFImage>();
  for (const [path, { bytes, format }] of images) {
    embedded.set(path, await (format === 'png' ? document.embedPng(bytes) : document.embedJpg(bytes)));
  }
  return embedded;
}

function describe(document: PDFDocument, { title, subtitle, author, language, madeAt }: DocumentSource): void {
  document.setTitle(title, { showInWindowTitleBar: true });
  if (author !== '') document.setAuthor(author);
  if (subtitle !== '') document.setSubject(subtitle);
  if (language !== '') document.setLanguage(language);
  document.setCreator('Errand');
  document.setProducer('Errand');
  document.setCreationDate(madeAt);
  document.setModificationDate(madeAt);
}

/** Renders a document as PDF: embedded fonts, bookmarks from its headings, page numbers. `missing` are symbols that no font has. */
export async function makePdf(source: DocumentSource): Promise<{ bytes: Uint8Array; missing: string[] }> {
  const document = await PDFDocument.create({ updateMetadata: false });
  describe(document, source);
  const sample = `${source.title}\n${collectText(source.blocks)}`;
  const book = new FontBook(document, sample);
  const flow = new PageFlow(document, book, source.pageSize);
  const style: TextStyle = { size: 10.5, color: ink.text };
  const setting: Typesetting = { flow, images: await embedImages(document, source), outline: [], indent: 0, style };
  if (source.title !== '') setTitle(setting, source);
  if (!source.hasTitlePage && source.blocks[0]?.type !== 'heading') flow.space(14);
  setBlocks(setting, source.blocks);
  setFooters(flow, source);
  addOutline(flow, setting.outline);
  for (const font of book.used) font.embed(document);
  return { bytes: await document.save({ addDefaultPage: false }), missing: [...book.missing] };
}
