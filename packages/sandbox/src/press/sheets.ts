import type { PageSession } from './page-session.ts';
import type { Finding, PressJob } from './press-job.ts';

/** What page rules say of paper, in CSS pixels. */
export interface Sheet {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Runs in the page: the sheet of each page rule by its name, and the name of the page on which the poster, or else the content of `main`, stands. */
const readRules = `(() => {
  const probe = document.createElement('div');
  document.documentElement.append(probe);
  const px = (length, otherwise) => {
    if (!length || length === 'auto') return otherwise;
    probe.style.cssText = 'position:absolute;visibility:hidden;width:' + length;
    return probe.getBoundingClientRect().width;
  };
  const named = { a3: [1122.52, 1587.4], a4: [793.7, 1122.52], a5: [559.37, 793.7], letter: [816, 1056], legal: [816, 1344] };
  const given = { '': {} };
  const visit = (rules) => {
    for (const rule of rules) {
      if (rule.type === 6 && /^[\\w-]*$/.test(rule.selectorText)) {
        const { style } = rule;
        const own = (given[rule.selectorText] ??= {});
        const size = (style.size || '').toLowerCase();
        const name = Object.keys(named).find((each) => new RegExp('\\\\b' + each + '\\\\b').test(size));
        const lengths = size.match(/[\\d.]+(px|mm|cm|in|pt)/g) || [];
        const [w, h] = name ? named[name] : lengths.length > 0 ? [px(lengths[0]), px(lengths[1] || lengths[0])] : [0, 0];
        if (w > 0) Object.assign(own, size.includes('landscape') ? { width: Math.max(w, h), height: Math.min(w, h) } : { width: w, height: h });
        for (const side of ['Top', 'Right', 'Bottom', 'Left']) {
          const length = style['margin' + side];
          if (length && length !== 'auto') own[side.toLowerCase()] = px(length);
        }
      } else if (rule.cssRules && (!rule.media || matchMedia(rule.media.mediaText).matches)) visit(rule.cssRules);
      else if (rule.styleSheet) visit(rule.styleSheet.cssRules);
    }
  };
  for (const one of document.styleSheets) { try { visit(one.cssRules); } catch {} }
  probe.remove();
  const usual = { width: 794, height: 1123, top: 38, right: 38, bottom: 38, left: 38, ...given[''] };
  const sheets = Object.fromEntries(Object.entries(given).map(([name, own]) => [name, { ...usual, ...own }]));
  const main = document.querySelector('.poster') ?? document.querySelector('main');
  const page = main ? getComputedStyle(main).page : 'auto';
  return { sheets, main: page in sheets ? page : '' };
})()`;

export interface Sheets {
  /** By the name of the page rule; that without a name is always there. */
  sheets: Record<string, Sheet> & { '': Sheet };
  /** The name of the page of the poster, or of `main`. */
  main: string;
}

/** What the page rules of a page say of its paper. */
export async function readSheets(session: PageSession): Promise<Sheets> {
  return (await session.evaluate(readRules)) as Sheets;
}

/** The sheet on which the content of the page is printed. */
async function readMainSheet(session: PageSession): Promise<Sheet> {
  const { sheets, main } = await readSheets(session);
  return sheets[main] ?? sheets[''];
}

/** The page's width between its margins becomes that of the window, so that what is measured is what is printed. */
export async function fitWindow(session: PageSession, job: PressJob): Promise<Sheet> {
  if (job.paper) {
    const { widthInches, heightInches } = job.paper;
    const rule = JSON.stringify(`@page { size: ${widthInches}in ${heightInches}in }`);
    await session.evaluate(`document.head.append(Object.assign(document.createElement('style'), { textContent: ${rule} }))`);
  }
  const sheet = await readMainSheet(session);
  const own = Math.round(Math.min(4000, Math.max(200, sheet.width - sheet.left - sheet.right)));
  // A poster is as high as the window, and its type is measured by it.
  const isPoster = await session.evaluate(`document.querySelector('.poster') !== null`);
  const high = Math.floor(Math.min(4000, Math.max(200, sheet.height - sheet.top - sheet.bottom)));
  await session.resize(own, isPoster ? high : job.window.height, false);
  return sheet;
}

/** How far the type of a document of one page is changed. */
const [smallest, largest] = [0.82, 1.25];
/** Of the height of a page; one that is less full is named. */
const leastFilled = 0.8;

/** Runs in the page: sets the type so large that everything is on one page, and returns which part of that is used. */
const fillPage = (space: number): string => `(() => {
  if (!document.querySelector('main:is(.one-page, .cv)')) return null;
  const root = document.documentElement;
  const usual = parseFloat(getComputedStyle(root).fontSize);
  const set = (part) => {
    root.style.setProperty('font-size', usual * part + 'px', 'important');
    return (document.body.getBoundingClientRect().bottom + scrollY) / ${space};
  };
  let [low, high] = [${smallest}, ${largest}];
  const least = set(low);
  if (least > 1) {
    root.style.removeProperty('font-size');
    return least;
  }
  for (let round = 0; round < 8 && set(high) > 1; round++) {
    const middle = (low + high) / 2;
    if (set(middle) > 1) high = middle;
    else low = middle;
  }
  return set(set(high) > 1 ? low : high);
})()`;

/** Of its usual size, the least that the type of a poster is. */
const smallestPoster = 0.55;

/** Runs in the page: sets the type of posters so large that what they hold is within their padding, as far as a share of the usual size does. */
const fitPosters = `(() => {
  for (const poster of document.querySelectorAll('.poster')) {
    const fits = (share) => {
      poster.style.setProperty('--poster-fit', share);
      const { bottom, right } = poster.getBoundingClientRect();
      const { paddingBottom, paddingRight } = getComputedStyle(poster);
      return [...poster.children].every((child) => {
        if (/absolute|fixed/.test(getComputedStyle(child).position)) return true;
        const inner = child.getBoundingClientRect();
        const isWide = child.clientWidth > 0 && child.scrollWidth > child.clientWidth + 1;
        return !isWide && inner.bottom <= bottom - parseFloat(paddingBottom) + 1 && inner.right <= right - parseFloat(paddingRight) + 1;
      });
    };
    if (fits(1)) continue;
    let [low, high] = [${smallestPoster}, 1];
    for (let round = 0; round < 8; round++) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    fits(low);
  }
})()`;

/** Lets what is meant to be one page (class `one-page` or `cv`) fill it by the size of its type, and says if no size does. */
export async function fitOnePage(session: PageSession, { height, top, bottom }: Sheet): Promise<Finding[]> {
  await session.evaluate(fitPosters);
  // What is printed differs from what is measured by fractions of a line.
  const used = (await session.evaluate(fillPage(Math.floor((height - top - bottom) * 0.992)))) as number | null;
  if (used === null || (used <= 1 && used >= leastFilled)) return [];
  const percent = Math.round(used * 100);
  const text =
    used > 1
      ? `does not fit one page: in the smallest type it takes ${percent} % of it. Shorten it, or let it take two`
      : `fills only ${percent} % of its page, also in the largest type: say more, or show a picture or a chart`;
  return [{ kind: used > 1 ? 'cut' : 'empty', page: 1, element: 'main', words: '', text }];
}
