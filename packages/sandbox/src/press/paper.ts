import { open, readFile } from 'node:fs/promises';
import type { PageSession } from './page-session.ts';

const printMs = 60_000;
const chunkBytes = 1024 * 1024;

/** Links to other files would lead to the press itself, which nobody who reads the PDF can reach. */
export async function dropOwnLinks(session: PageSession): Promise<void> {
  await session.evaluate(`for (const one of [...document.links]) {
    const isHere = one.pathname === location.pathname && one.hash !== '';
    if (one.origin === location.origin && !isHere) one.removeAttribute('href');
  }`);
}

const months = [
  'January|February|March|April|May|June|July|August|September|October|November|December',
  'Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
  'يناير|فبراير|مارس|أبريل|إبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر',
].join('|');
const units = 'm[²³]?|[km]m²?|cm|ha|k?g|t|m?l|[kMG]Wh?|min|°C|°F';
/** Neither a digit nor a letter follows. */
const end = '(?![\\p{L}\\p{N}])';

/** What stays on one line: a pattern, and what it becomes. */
const bindings = [
  ['([€$£¥§№]) (?=\\d)', '$1\u00a0'],
  [`(\\d) (?=[%‰°€£]|(?:${units})${end})`, '$1\u00a0'],
  [`(?<!\\d)(\\d{1,2}\\.?) (?=(?:${months})${end})`, '$1\u00a0'],
  [`(?<!\\d)(\\d{1,2}) de (?=(?:${months})${end})`, '$1\u00a0de\u00a0'],
  [`(?<![\\p{L}\\p{N}])(${months}) (?=\\d{1,2}(?!\\d))`, '$1\u00a0'],
];

/** Runs in the page: keeps numbers on the line of their signs and units, and days on that of their months, as a typesetter does. */
export const bindNumbers = `(() => {
  const bindings = ${JSON.stringify(bindings)}.map(([pattern, bound]) => [new RegExp(pattern, 'gu'), bound]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!/\\d/.test(node.data) || node.parentElement.closest('pre, code, script, style, textarea, svg')) continue;
    const bound = bindings.reduce((text, [pattern, whole]) => text.replace(pattern, whole), node.data);
    if (bound !== node.data) node.data = bound;
  }
})()`;

export async function printPdf(session: PageSession, file: string): Promise<void> {
  const options = { printBackground: true, preferCSSPageSize: true, generateTaggedPDF: true, generateDocumentOutline: true };
  const { stream } = await session.send(
    'Page.printToPDF',
    { ...options, transferMode: 'ReturnAsStream', paperWidth: 8.27, paperHeight: 11.69 },
    printMs,
  );
  const target = await open(file, 'w');
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle: stream, size: chunkBytes });
      await target.write(Buffer.from(String(data), base64Encoded === true ? 'base64' : 'utf8'));
      if (eof === true) break;
    }
  } finally {
    await target.close();
  }
  await session.send('IO.close', { handle: stream });
}

export interface Place {
  /** From 1. */
  page: number;
  /** From the top of what is printed on it, in CSS pixels. */
  down: number;
}

export interface Places {
  at: Map<string, Place>;
  /** The height of each sheet of paper, the first page's first, in CSS pixels. */
  heights: number[];
}

/** The ids of the pages of a PDF by Chromium, in their order. */
function orderPages(pdf: string): string[] {
  const parents = [...pdf.matchAll(/(\d+) 0 obj\s*<<\/Type \/Pages[^]*?\/Kids \[([^\]]*)\]/g)];
  const kidsOf = new Map(
    parents.map(([, id = '', kids = '']) => [id, [...kids.matchAll(/(\d+) 0 R/g)].map(([, kid = '']) => kid)]),
  );
  const children = new Set([...kidsOf.values()].flat());
  const visit = (id: string): string[] => kidsOf.get(id)?.flatMap(visit) ?? [id];
  return [...kidsOf.keys()].filter((root) => !children.has(root)).flatMap(visit);
}

/** Where each named place of a PDF by Chromium is. */
export function readPlaces(pdf: string): Places {
  const pages = orderPages(pdf);
  const boxes = pdf.matchAll(/(\d+) 0 obj\s*<<\/Type \/Page\s[^]*?\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/g);
  const heightOf = new Map([...boxes].map(([, id = '', height]) => [id, Number(height) / 0.75]));
  const heights = pages.map((id) => heightOf.get(id) ?? 0);
  const numbers = new Map(pages.map((id, at) => [id, at + 1]));
  const at = new Map<string, Place>();
  for (const [, name = '', page = '', y = ''] of pdf.matchAll(/\/([^\s/[\]<>()]+) \[(\d+) 0 R \/XYZ [\d.-]+ ([\d.-]+)/g)) {
    const number = numbers.get(page);
    const plain = name.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (number === undefined) continue;
    const down = (heightOf.get(page) ?? 0) - Number(y) / 0.75;
    at.set(Buffer.from(plain, 'latin1').toString('utf8'), { page: number, down });
  }
  return { at, heights };
}

/** Writes the page numbers of a table of contents, which are known only once it has been converted; the first of them, null if there are none. */
export async function numberContents(session: PageSession, file: string): Promise<number | null> {
  const wanted = (await session.evaluate(
    `[...document.querySelectorAll('[data-page-of]')].map((one) => one.dataset.pageOf)`,
  )) as string[];
  if (wanted.length === 0) return null;
  const { at: places } = readPlaces(await readFile(file, 'latin1'));
  const numbers = JSON.stringify(Object.fromEntries(wanted.map((id) => [id, places.get(id)?.page ?? ''])));
  await session.evaluate(
    `{ const numbers = ${numbers}; for (const one of document.querySelectorAll('[data-page-of]')) one.textContent = numbers[one.dataset.pageOf]; }`,
  );
  return Math.min(...wanted.map((id) => places.get(id)?.page ?? Infinity));
}
