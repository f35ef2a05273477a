import { findEastAsianFont } from '../fonts/east-asian-font.ts';
import { attribute, type ThemeColors, writeColor, xmlHead } from './drawing-markup.ts';
import type { PageDeck } from './page-deck-spec.ts';

/** The places of a theme, and which role of the design kit each has. */
const places = [
  ...([
    ['dk1', 'ink', '#1a1d23'],
    ['lt1', 'ground', '#ffffff'],
    ['dk2', 'soft', '#5b626e'],
    ['lt2', 'surface', '#f5f6f8'],
  ] as const),
  ...([
    ['accent1', 'chart-1', '#0b57b0'],
    ['accent2', 'chart-2', '#e07b00'],
    ['accent3', 'chart-3', '#0a8f7b'],
  ] as const),
  ...([
    ['accent4', 'chart-4', '#8b3fb0'],
    ['accent5', 'chart-5', '#c2366b'],
    ['accent6', 'chart-6', '#5f6b7a'],
  ] as const),
  ...([
    ['hlink', 'accent', '#0b57b0'],
    ['folHlink', 'soft', '#5b626e'],
  ] as const),
] as const;

/** How slides name the places. */
const slideNames: Record<string, string> = { dk1: 'tx1', lt1: 'bg1', dk2: 'tx2', lt2: 'bg2' };

function colorOf(role: string, otherwise: string, { colors }: PageDeck): string {
  return colors[role]?.slice(0, 7) ?? otherwise;
}

/** The colors of slides that belong to the theme, so that another theme changes them. */
export function listThemeColors(deck: PageDeck): ThemeColors {
  const found = new Map<string, string>();
  for (const [place, role, otherwise] of places) {
    const color = colorOf(role, otherwise, deck);
    if (!found.has(color) && place !== 'hlink' && place !== 'folHlink') found.set(color, slideNames[place] ?? place);
  }
  return found;
}

const plainFill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const plainLine = (width: number) => `<a:ln w="${width}">${plainFill}</a:ln>`;
const plainEffect = '<a:effectStyle><a:effectLst/></a:effectStyle>';

/** The colors and fonts of a deck as an office's theme. */
export function writeTheme(deck: PageDeck): string {
  const colors = places.map(([place, role, otherwise]) => {
    return `<a:${place}>${writeColor(`${colorOf(role, otherwise, deck)}ff`, new Map())}</a:${place}>`;
  });
  const eastAsian = findEastAsianFont(deck.language) ?? '';
  const font = (name: string, family: string) =>
    `<a:${name}><a:latin typeface="${attribute(family)}"/><a:ea typeface="${eastAsian}"/><a:cs typeface=""/></a:${name}>`;
  const fonts = `${font('majorFont', deck.fonts.head)}${font('minorFont', deck.fonts.text)}`;
  const fills = plainFill.repeat(3);
  const lines = [6_350, 12_700, 19_050].map(plainLine).join('');
  return `${xmlHead}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Deck"><a:themeElements><a:clrScheme name="Deck">${colors.join('')}</a:clrScheme><a:fontScheme name="Deck">${fonts}</a:fontScheme><a:fmtScheme name="Deck"><a:fillStyleLst>${fills}</a:fillStyleLst><a:lnStyleLst>${lines}</a:lnStyleLst><a:effectStyleLst>${plainEffect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fills}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}
