import { open, readFile } from 'node:fs/promises';
import type { PageSession } from './page-session.ts';
import type { PressJob } from './press-job.ts';

const printMs = 60_000;
const chunkBytes = 1024 * 1024;

/** What the page's own rules say of its paper, in CSS pixels. */
interface Sheet {
  width: number;
  left: number;
  right: number;
}

/** Runs in the page: size and side margins of the first page rule without a name. */
const readSheet = `(() => {
  const probe = document.createElement('div');
  document.documentElement.append(probe);
  const px = (length, otherwise) => {
    if (!length || length === 'auto') return otherwise;
    probe.style.cssText = 'position:absolute;visibility:hidden;width:' + length;
    return probe.getBoundingClientRect().width;
  };
  const named = { a3: [1123, 1587], a4: [794, 1123], a5: [559, 794], letter: [816, 1056], legal: [816, 1344] };
  const sheet = { width: 794, left: 38, right: 38 };
  const visit = (rules) => {
    for (const rule of rules) {
      if (rule.type === 6 && rule.selectorText === '') {
        const { style } = rule;
        const size = (style.size || '').toLowerCase();
        const name = Object.keys(named).find((each) => new RegExp('\\\\b' + each + '\\\\b').test(size));
        const lengths = size.match(/[\\d.]+(px|mm|cm|in|pt)/g) || [];
        const [w, h] = name ? named[name] : lengths.length > 0 ? [px(lengths[0]), px(lengths[1] || lengths[0])] : [0, 0];
        if (w > 0) sheet.width = size.includes('landscape') ? Math.max(w, h) : w;
        sheet.left = px(style.marginLeft, sheet.left);
        sheet.right = px(style.marginRight, sheet.right);
      } else if (rule.cssRules && (!rule.media || matchMedia(rule.media.mediaText).matches)) visit(rule.cssRules);
      else if (rule.styleSheet) visit(rule.styleSheet.cssRules);
    }
  };
  for (const one of document.styleSheets) { try { visit(one.cssRules); } catch {} }
  probe.remove();
  return sheet;
})()`;

/** The page's width between its margins becomes that of the window, so that what is measured is what is printed. */
export async function fitWindow(session: PageSession, job: PressJob): Promise<void> {
  if (job.paper) {
    const { widthInches, heightInches } = job.paper;
    const rule = JSON.stringify(`@page { size: ${widthInches}in ${heightInches}in }`);
    await session.evaluate(`document.head.append(Object.assign(document.createElement('style'), { textContent: ${rule} }))`);
  }
  const { width, left, right } = (await session.evaluate(readSheet)) as Sheet;
  const own = Math.round(Math.min(4000, Math.max(200, width - left - right)));
  await session.resize(own, job.window.height, false);
}

/** Links to other files would lead to the press itself, which nobody who reads the PDF can reach. */
export async function dropOwnLinks(session: PageSession): Promise<void> {
  await session.evaluate(`for (const one of [...document.links]) {
    const isHere = one.pathname === location.pathname && one.hash !== '';
    if (one.origin === location.origin && !isHere) one.removeAttribute('href');
  }`);
}

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

/** The page on which each named place of a PDF by Chromium is, from 1. */
export function readDestinations(pdf: string): Map<string, number> {
  const order = new Map<string, number>();
  const parents = [...pdf.matchAll(/(\d+) 0 obj\s*<<\/Type \/Pages[^]*?\/Kids \[([^\]]*)\]/g)];
  const kidsOf = new Map(
    parents.map(([, id = '', kids = '']) => [id, [...kids.matchAll(/(\d+) 0 R/g)].map(([, kid = '']) => kid)]),
  );
  const children = new Set([...kidsOf.values()].flat());
  const visit = (id: string): void => {
    const kids = kidsOf.get(id);
    if (!kids) order.set(id, order.size + 1);
    else for (const kid of kids) visit(kid);
  };
  for (const root of kidsOf.keys()) if (!children.has(root)) visit(root);
  const places = new Map<string, number>();
  for (const [, name = '', page = ''] of pdf.matchAll(/\/([^\s/[\]<>()]+) \[(\d+) 0 R \/XYZ/g)) {
    const number = order.get(page);
    const plain = name.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (number !== undefined) places.set(Buffer.from(plain, 'latin1').toString('utf8'), number);
  }
  return places;
}

/** Writes the page numbers of a table of contents, which are known only once it has been converted; the first of them, null if there are none. */
export async function numberContents(session: PageSession, file: string): Promise<number | null> {
  const wanted = (await session.evaluate(
    `[...document.querySelectorAll('[data-page-of]')].map((one) => one.dataset.pageOf)`,
  )) as string[];
  if (wanted.length === 0) return null;
  const places = readDestinations(await readFile(file, 'latin1'));
  const numbers = JSON.stringify(Object.fromEntries(wanted.map((id) => [id, places.get(id) ?? ''])));
  await session.evaluate(
    `{ const numbers = ${numbers}; for (const one of document.querySelectorAll('[data-page-of]')) one.textContent = numbers[one.dataset.pageOf]; }`,
  );
  return Math.min(...wanted.map((id) => places.get(id) ?? Infinity));
}
