import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterTime } from './deadline.ts';
import type { PageSession } from './page-session.ts';
import { type Place, type Places, printPdf, readPlaces } from './paper.ts';
import { readSheets, type Sheet } from './sheets.ts';

/**
 * Notes at the foot of the page of their references, which the browser itself cannot lay out: the page is printed, space is kept free at
 * the foot of the pages that have references, and it is printed again, until no reference has moved. Floats without a width reach down to
 * the space; a float as wide as the page keeps it free; the notes stand in it by their distance from the top of all pages.
 */

/** More are not tried: the notes stand at the end then. */
const mostPrints = 6;
/** Nor does another print begin after this time: the end of the press has to leave time for one without notes, and one for contents. */
const longestMs = 75_000;
/** A page whose notes would take more of it has them at the end. */
const largestPart = 0.45;

/** How far down the text two places are that are looked for in the print; one at its very beginning could be on two pages. */
const probes = { top: 1, below: 1500 };

interface Prepared {
  /** The ids of the references, one for each note. */
  refs: string[];
  heights: number[];
  /** Ids of headings, and of what follows them. */
  pairs: [heading: string, next: string][];
  /** The size of the type of notes, in pixels. */
  marginEm: number;
}

interface Plan {
  /** The space at the foot of each page, by its number. */
  reserved: Map<number, number>;
  /** The page of each note. */
  pages: number[];
  /** The height of the sheet of each page. */
  sheetHeights: number[];
  /** Headings that begin a page, because what follows them is on it. */
  pushed: Set<string>;
}

/** What the pages of a print are like. */
interface Paper {
  firstPage: number;
  /** How far down the first page the text begins. */
  start: number;
  /** The height of the text of a page like the first one. */
  height: number;
  /** The sheets on which text may stand, that of the first page first; no two have one height and different margins. */
  sheets: readonly Sheet[];
}

/** The browser rounds the space between the margins up to whole pixels. */
const textHeight = ({ height, top, bottom }: Sheet) => Math.ceil(height - top - bottom - 0.05);

/** Whether the margins of a page are known from its height, whichever of two sheets it is. */
const haveClearMargins = (one: Sheet, other: Sheet) =>
  Math.abs(one.height - other.height) > 5 || (one.top === other.top && one.bottom === other.bottom);

/** The sheet of a page, which is told by its height. */
function sheetOf(page: number, heights: readonly number[], sheets: readonly Sheet[]): Sheet | undefined {
  const height = heights[page - 1] ?? 0;
  return sheets.find((sheet) => Math.abs(sheet.height - height) < 3) ?? sheets[0];
}

/** How much higher the text of a page is than that of the first one. */
function extraOf(page: number, heights: readonly number[], sheets: readonly Sheet[]): number {
  const [usual, own] = [sheets[0], sheetOf(page, heights, sheets)];
  return usual && own ? textHeight(own) - textHeight(usual) : 0;
}

function measurePaper({ at, heights }: Places, sheets: readonly Sheet[]): Paper | null {
  const [top, below] = [at.get('press-top'), at.get('press-below')];
  if (!top || !below || below.page === top.page) return null;
  const start = top.down - probes.top;
  const measured = (probes.below + start - below.down) / (below.page - top.page);
  // Other sheets above the probe would count as well; what the rules say differs from what is measured by rounding only.
  const [usual] = sheets;
  const isTurned = heights.slice(top.page - 1, below.page).some((height) => height !== heights[top.page - 1]);
  return { firstPage: top.page, start, height: isTurned && usual ? textHeight(usual) : measured, sheets };
}

/** How far below the top of the text the last line of a page may end. */
function endOfPage(page: number, { firstPage, start, height, sheets }: Paper, heights: readonly number[]): number {
  let end = -start;
  for (let each = firstPage; each <= page; each++) end += height + extraOf(each, heights, sheets);
  return end;
}

/** The space that the notes of each page need. */
function sumUp(pages: readonly number[], { heights, marginEm }: Prepared): Map<number, number> {
  const needed = new Map<number, number>();
  pages.forEach((page, at) => needed.set(page, (needed.get(page) ?? marginEm * 1.9) + (heights[at] ?? 0) + marginEm * 0.25));
  return needed;
}

/** The boxes that keep the space free, and the distances of the notes from the top of the text. */
function layOut({ reserved, pages, sheetHeights }: Plan, paper: Paper, { heights, marginEm }: Prepared) {
  const endOf = (page: number) => endOfPage(page, paper, sheetHeights);
  let at = 0;
  const boxes = [...reserved]
    .filter(([, space]) => space > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([page, space]) => {
      const strut = endOf(page) - space - at;
      // One pixel less, so that it does not reach the next page.
      at = endOf(page) - 1;
      return { strut, space: space - 1 };
    });
  const next = new Map<number, number>();
  const rules: number[] = [];
  const own = sumUp(pages, { refs: [], heights, pairs: [], marginEm });
  const tops = pages.map((page, index) => {
    if (!next.has(page)) {
      const top = endOf(page) - (own.get(page) ?? 0);
      rules.push(top + marginEm * 0.9);
      next.set(page, top + marginEm * 1.6);
    }
    const top = next.get(page) ?? 0;
    next.set(page, top + (heights[index] ?? 0) + marginEm * 0.25);
    return top;
  });
  return { boxes, tops, rules };
}

/** Runs in the page: puts the boxes, the lines above the notes, and the notes where they belong. */
const place = (layout: ReturnType<typeof layOut>, pushed: readonly string[]): string => `(() => {
  const { boxes, tops, rules } = ${JSON.stringify(layout)};
  for (const one of document.querySelectorAll('.press-foot, .press-below')) one.remove();
  const host = document.getElementById('press-top').parentElement;
  const made = (css) => {
    const one = document.createElement('i');
    one.className = 'press-foot';
    one.style.cssText = css;
    return one;
  };
  const clear = ';float:inline-start;clear:inline-start;margin:0;padding:0;border:0';
  host.prepend(...boxes.flatMap(({ strut, space }) => [made('width:0;height:' + strut + 'px' + clear), made('width:100%;height:' + space + 'px' + clear)]));
  host.append(...rules.map((top) => made('position:absolute;inset-inline-start:0;width:9em;height:0;border-top:0.75px solid currentColor;opacity:0.5;top:' + top + 'px')));
  const items = [...document.querySelectorAll('.footnotes:not(.at-end) li[id]')];
  items.forEach((one, at) => one.style.setProperty('top', tops[at] + 'px', 'important'));
  for (const id of ${JSON.stringify(pushed)}) {
    const heading = document.getElementById(id);
    heading.dataset.pressStyle ??= heading.getAttribute('style') ?? '';
    heading.style.setProperty('break-before', 'page', 'important');
    heading.style.setProperty('margin-top', '0', 'important');
  }
})()`;

/** Runs in the page: takes everything back. */
const restore = `(() => {
  for (const one of document.querySelectorAll('.press-foot, .press-top, .press-below, .press-links')) one.remove();
  for (const one of document.querySelectorAll('[data-press-style]')) {
    one.setAttribute('style', one.dataset.pressStyle);
    delete one.dataset.pressStyle;
  }
})()`;

/** Headings whose text begins on the next page, although they end one before the space for its notes. */
function listStranded({ pairs }: Prepared, places: ReadonlyMap<string, Place>, reserved: ReadonlyMap<number, number>): string[] {
  return pairs.flatMap(([heading, next]) => {
    const [one, other] = [places.get(heading), places.get(next)];
    return one && other && other.page > one.page && reserved.has(one.page) ? [heading] : [];
  });
}

/** Where a print has its pages, and each reference. */
interface Print {
  places: Places;
  pages: number[];
}

/** The next attempt, from what the last print came to; null if that was right. The pages before the first that was not are kept. */
function improve(plan: Plan, { pages, places }: Print, stranded: readonly string[], prepared: Prepared): Plan | null {
  // Pages that have turned change the distance of all notes below them.
  const turned = places.heights.findIndex((height, at) => height !== plan.sheetHeights[at]) + 1 || Infinity;
  const isSettled =
    turned > Math.max(...pages) &&
    pages.every((page, at) => page === plan.pages[at]) &&
    stranded.every((id) => plan.pushed.has(id));
  if (isSettled) return null;
  const needed = sumUp(pages, prepared);
  const moved = Math.min(
    turned,
    ...pages.map((page, at) => (page === plan.pages[at] ? Infinity : Math.min(page, plan.pages[at] ?? page))),
  );
  const reserved = new Map<number, number>();
  for (const page of new Set([...needed.keys(), ...plan.reserved.keys()])) {
    const [before, now] = [plan.reserved.get(page) ?? 0, needed.get(page) ?? 0];
    // A reference that its own note pushed to the next page would come back if the space were given up.
    reserved.set(page, page < moved ? before : page === moved ? Math.max(before, now) : now);
  }
  return { reserved, pages: [...pages], sheetHeights: places.heights, pushed: new Set([...plan.pushed, ...stranded]) };
}

async function readPages(pdf: string, { refs }: Prepared): Promise<Print | null> {
  const places = readPlaces(await readFile(pdf, 'latin1'));
  const pages = refs.map((id) => places.at.get(id)?.page);
  return pages.every((page) => page !== undefined) ? { places, pages } : null;
}

/** Prints until the notes stand where their references are; false if they do not in the end. */
async function settle(session: PageSession, pdf: string, prepared: Prepared, sheets: readonly Sheet[]): Promise<boolean> {
  const time = new AbortController();
  afterTime(longestMs, () => time.abort());
  await printPdf(session, pdf);
  const first = await readPages(pdf, prepared);
  const paper = first && measurePaper(first.places, sheets);
  if (!paper) return false;
  const { pages, places } = first;
  let plan: Plan = { reserved: sumUp(pages, prepared), pages, sheetHeights: places.heights, pushed: new Set() };
  for (let prints = 1; prints < mostPrints && !time.signal.aborted; prints++) {
    const heightOf = (page: number) => paper.height + extraOf(page, plan.sheetHeights, sheets);
    if ([...plan.reserved].some(([page, space]) => space > heightOf(page) * largestPart)) return false;
    await session.evaluate(place(layOut(plan, paper, prepared), [...plan.pushed]));
    await printPdf(session, pdf);
    const made = await readPages(pdf, prepared);
    if (!made) return false;
    const better = improve(plan, made, listStranded(prepared, made.places.at, plan.reserved), prepared);
    if (better === null) return true;
    plan = better;
  }
  return false;
}

/** Prints a page with its notes (class `footnotes`) at the foot of its pages; false if it has none, or they stay at its end. */
export async function printWithNotes(session: PageSession, pdf: string): Promise<boolean> {
  const script = readFileSync(new URL('./page/foot-notes.js', import.meta.url), 'utf8').replace(/;\s*$/, '');
  const paper = await readSheets(session);
  const usual = paper.sheets[paper.main] ?? paper.sheets[''];
  const like = Object.entries(paper.sheets).filter(([, sheet]) => haveClearMargins(sheet, usual));
  const others = like.filter(([, sheet]) => like.every(([, other]) => haveClearMargins(sheet, other)));
  const given = { ...probes, known: others.map(([name]) => name) };
  const prepared = (await session.evaluate(`(${script})(${JSON.stringify(given)})`)) as Prepared | null;
  if (!prepared) return false;
  const isSettled = await settle(session, pdf, prepared, [usual, ...others.map(([, sheet]) => sheet)]);
  if (!isSettled) await session.evaluate(restore);
  return isSettled;
}
