/** Longer styles are cut: they are no reader's. */
const maxStyleLength = 10_000;
const maxSheetLength = 200_000;

function readDeclarations(style: string): Map<string, string> {
  const declarations = style.slice(0, maxStyleLength).toLowerCase().split(';');
  return new Map(
    declarations.flatMap((declaration): [string, string][] => {
      const colon = declaration.indexOf(':');
      if (colon === -1) return [];
      const value = declaration.slice(colon + 1).replaceAll(/\s|!important/g, '');
      return [[declaration.slice(0, colon).trim(), value]];
    }),
  );
}

const isZero = (value: string | undefined) => value !== undefined && /^0(?:\.0*)?[a-z%]*$/.test(value);
const isFarAway = (value: string | undefined) => value !== undefined && /^-\d{3,}/.test(value);

/** Whether declarations of a style make the text of their element invisible, in one of the ways that are usual in mail. */
export function isHiddenStyle(style: string): boolean {
  if (style === '') return false;
  const of = readDeclarations(style);
  const [color, background] = [of.get('color'), of.get('background-color') ?? of.get('background')];
  return (
    of.get('display') === 'none' ||
    of.get('mso-hide') === 'all' ||
    ['hidden', 'collapse'].includes(of.get('visibility') ?? '') ||
    [of.get('opacity'), of.get('font-size')].some(isZero) ||
    (of.get('overflow') === 'hidden' && ['height', 'max-height', 'width', 'max-width'].some((name) => isZero(of.get(name)))) ||
    ['text-indent', 'left', 'top', 'margin-left', 'margin-top'].some((name) => isFarAway(of.get(name))) ||
    color === 'transparent' ||
    (color !== undefined && color === background)
  );
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
