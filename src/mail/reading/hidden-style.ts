import { findEscape } from '@errand/base/text/unseen-style.ts';

/** Longer styles are cut: they are no reader's. */
const maxStyleLength = 10_000;
const maxSheetLength = 200_000;

/** What hides text in mail alone: nothing in it fades in, and one program has a word of its own. */
const hiddenInMail = /(?:^|;)\s*(?:opacity\s*:\s*0(?:\.0*)?|mso-hide\s*:\s*all)\s*(?:;|!|$)/i;

/** Whether declarations of a style make the text of their element invisible, in one of the ways that are usual. */
export function isHiddenStyle(style: string): boolean {
  const kept = style.slice(0, maxStyleLength);
  return kept !== '' && (hiddenInMail.test(kept) || findEscape(kept, false) !== null);
}

/** The classes (`.name`) and ids (`#name`) that a style sheet hides, without those that it hides only on some screens. */
export function findHiddenNames(sheet: string): Set<string> {
  const names = new Set<string>();
  let [depth, start, selectors] = [0, 0, ''];
  const css = sheet.slice(0, maxSheetLength).replaceAll('<!--', '').replaceAll('-->', '');
  for (let at = 0; at < css.length; at++) {
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2);
      if (end === -1) break;
      if (depth === 0) start = end + 2;
      at = end + 1;
    } else if (css[at] === '{') {
      if (depth === 0) selectors = css.slice(start, at);
      start = at + 1;
      depth++;
    } else if (css[at] === '}') {
      if (depth === 1 && !selectors.includes('@') && isHiddenStyle(css.slice(start, at))) {
        for (const selector of selectors.split(',')) names.add(selector.trim().replace(/^[a-z0-9]+(?=[.#])/i, ''));
      }
      depth = Math.max(0, depth - 1);
      start = at + 1;
    }
  }
  return names;
}
