import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Places of every page at once: `$name` stands for an id of the account that is looked at. */
export function listRoutes(source: string): string[] {
  return [...source.matchAll(/(?:path: |createPage\(\s*)'([^']+)'/g)].map(([, path = '']) => path);
}

/** Waits until a page shows what it has: nothing is being loaded, and nothing moves any more. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('main .breathe.bg-hover').count()).toBe(0);
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`);
}

/** How much of the page shifted while it was loading (cumulative layout shift), with what moved most. */
export async function measureShift(page: Page): Promise<{ score: number; moved: string[] }> {
  return page.evaluate(`new Promise((done) => {
    const entries = [];
    new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => {
      const own = entries.filter(({ hadRecentInput }) => !hadRecentInput);
      const nodes = own.flatMap(({ sources }) => sources.map(({ node }) => node?.outerHTML?.slice(0, 160) ?? ''));
      done({ score: own.reduce((sum, { value }) => sum + value, 0), moved: nodes.slice(0, 3) });
    }, 50);
  })`);
}

/** What is wider than the page, or cut off without a sign of it. */
export async function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push('the page is ' + root.scrollWidth + ' wide');
    for (const element of document.querySelectorAll('button, a, th, td, label, legend, h1, h2, h3, p, dt, dd, summary')) {
      const style = getComputedStyle(element);
      if (style.overflowX === 'visible' || element.closest('.sr-only') || element.clientWidth === 0) continue;
      if (element.scrollWidth > element.clientWidth + 1 && !element.matches('.truncate, .truncate *, :has(.truncate)'))
        found.push('cut off: ' + element.outerHTML.slice(0, 160));
    }
    return found;
  })()`);
}

/** Where the keyboard is: what it is on, and what is wrong with how that is shown. */
const lookAtFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  // Frames show their own focus.
  if (element.tagName === 'IFRAME') return { id: 'frame', problem: null };
  window.seenByKeyboard ??= new Map();
  const id = window.seenByKeyboard.get(element) ?? String(window.seenByKeyboard.size);
  window.seenByKeyboard.set(element, id);
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  // Composers show the focus of their field around themselves.
  const around = [element, element.parentElement, element.parentElement?.parentElement, element.closest('form')].filter(Boolean);
  const isShown = around.some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });
  const isInSight = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const problem = style.visibility === 'hidden' ? 'is hidden' : !isInSight ? 'is out of sight' : !isShown ? 'shows no focus' : null;
  return { id, problem: problem && problem + ': ' + element.outerHTML.slice(0, 200) };
})()`;

/** Goes through the page by keyboard: everything that is reached shows it, and nothing keeps the keyboard. */
export async function walkByKeyboard(page: Page, mostStops = 250): Promise<{ stops: number; problems: string[] }> {
  await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0); window.seenByKeyboard = undefined');
  const [seen, problems] = [new Set<string>(), [] as string[]];
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<{ id: string; problem: string | null } | null>(lookAtFocus);
    // Behind the last stop comes the browser itself, then the first one again.
    if (at === null || (at.id === '0' && seen.size > 1)) return { stops: seen.size, problems };
    if (at.id !== 'frame' && seen.has(at.id))
      return { stops: seen.size, problems: [...problems, `the keyboard goes round at stop ${at.id}`] };
    seen.add(at.id);
    if (at.problem !== null) problems.push(at.problem);
  }
  return { stops: seen.size, problems: [...problems, 'there is no end'] };
}
