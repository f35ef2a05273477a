import { contrastOf, mixColors } from '@errand/base/text/colors.ts';
import { type Brand, type BrandFile, type BrandTheme, type FontPlace, fontPlaces, isOwnFont } from './brand.ts';

/** What dark pages of the design kit have, about. */
const dark = { ground: '#14171c', ink: '#e9ebef' };

/** Covers of these are not filled with the accent. */
const plainCovers: readonly BrandTheme[] = ['minimal', 'academic', 'editorial'];

/** What fonts that were uploaded are called. */
export const fontFamilies: Record<FontPlace, string> = { heading: 'Brand Heading', text: 'Brand Text' };
const fallback = '"Noto Scripts", "Noto Sans", "Liberation Sans", var(--east-asian), sans-serif';
const serifFallback = '"Noto Serif", "Liberation Serif", "Noto Scripts", var(--east-asian-serif), serif';

/** The folder of the brand's files, beside its style sheet. */
const brandFolder = 'brand';

/** Where a file of the brand is, relative to the style sheet. */
export function placeBrandFile(name: FontPlace | 'logo', { form }: BrandFile): string {
  return `${brandFolder}/${name}.${form}`;
}

/** A text as a string of a style sheet. Whatever could end it is escaped. */
function quote(text: string): string {
  const escaped = Array.from(text, (character) =>
    /[\p{L}\p{N} .,;:!?()@&+%·–—|/_-]/u.test(character) ? character : `\\${character.codePointAt(0)?.toString(16) ?? ''} `,
  );
  return `"${escaped.join('')}"`;
}

/** What of an import could be no color is left out. */
function isColor(color: string | undefined): color is string {
  return color !== undefined && /^#[0-9a-f]{6}$/i.test(color);
}

/** A color that can be read on dark pages. */
function lighten(color: string): string {
  for (let share = 1; share > 0; share -= 0.1) {
    const lighter = mixColors(color, '#ffffff', share);
    if (contrastOf(lighter, dark.ground) >= 4.5) return lighter;
  }
  return '#ffffff';
}

function inkOn(color: string): string {
  return contrastOf('#ffffff', color) >= 3 ? '#ffffff' : '#14171c';
}

/** Rings at the lower edge, a little lighter than any color. */
const coverArt =
  'radial-gradient(circle at 103% 101%, rgb(255 255 255 / 0.11) 0 16%, transparent 16.1% 25%, rgb(255 255 255 / 0.08) 25.1% 37%, transparent 37.1% 50%, rgb(255 255 255 / 0.05) 50.1% 64%, transparent 64.1%)';

const pair = (light: string, night: string) => `light-dark(${light}, ${night})`;

function writeGround(text: string, background: string): string[] {
  const roles = { soft: 0.68, line: 0.16, surface: 0.04 };
  const mixes = Object.entries(roles).map(
    ([role, share]) => `--${role}: ${pair(mixColors(text, background, share), mixColors(dark.ink, dark.ground, share))}`,
  );
  return [`--ground: ${pair(background, dark.ground)}`, `--ink: ${pair(text, dark.ink)}`, ...mixes];
}

function writeAccent(accent: string, background: string, theme: BrandTheme): string[] {
  const light = lighten(accent);
  const roles = [
    `--accent: ${pair(accent, light)}`,
    `--on-accent: ${pair(inkOn(accent), inkOn(light))}`,
    `--tint: ${pair(mixColors(accent, background, 0.09), mixColors(light, dark.ground, 0.14))}`,
    `--chart-1: ${pair(accent, light)}`,
  ];
  if (plainCovers.includes(theme)) return roles;
  const onCover = inkOn(accent);
  return [
    ...roles,
    `--cover: ${accent}`,
    `--cover-art: ${coverArt}`,
    `--on-cover: ${onCover}`,
    `--cover-soft: ${mixColors(onCover, accent, 0.86)}`,
  ];
}

function writeColors({ colors, theme }: Brand): string[] {
  const { accent, text, background, chart } = colors;
  const ground = isColor(background) ? background : '#ffffff';
  return [
    ...(isColor(text) || isColor(background) ? writeGround(isColor(text) ? text : '#1a1d23', ground) : []),
    ...(isColor(accent) ? writeAccent(accent, ground, theme) : []),
    ...chart.filter(isColor).map((color, at) => `--chart-${at + 1}: ${pair(color, lighten(color))}`),
  ];
}

function writeFonts({ fonts }: Brand): { fontRules: string[]; roles: string[] } {
  const fontRules: string[] = [];
  const roles: string[] = [];
  for (const place of fontPlaces) {
    const font = fonts[place];
    if (font === undefined) continue;
    const family = isOwnFont(font) ? fontFamilies[place] : font;
    const rest = /Serif|Garamond|Fraunces/.test(family) ? serifFallback : fallback;
    roles.push(`--${place === 'heading' ? 'head' : 'text'}-font: "${family}", ${rest}`);
    if (!isOwnFont(font)) continue;
    fontRules.push(
      `@font-face { font-family: "${family}"; font-weight: 100 900; font-display: block; src: url("${placeBrandFile(place, font)}") }`,
    );
  }
  return { fontRules, roles };
}

/** Pages without a theme of their own, and those that name the brand. */
const branded = ':root:where(:not([data-theme]), [data-theme="brand"])';

/** The logo on a plate, so that it can be seen on any cover. */
function writeLogo(logo: BrandFile): string[] {
  const picture = `url("${placeBrandFile('logo', logo)}") left center / contain no-repeat content-box border-box`;
  const plate = 'padding: 0.6rem 0.9rem; border-radius: min(var(--radius), 8px)';
  return [
    `${branded} :is(.cover, .title-block)::before { content: ""; display: block; width: 11rem; height: 3.4rem; margin-bottom: 2.4rem; background: ${picture} }`,
    `${branded} .cover::before { ${plate}; background-color: #ffffff }`,
    `${branded} .title-block::before { margin-bottom: 1.2rem }`,
  ];
}

/** The style sheet of a brand for pages of the design kit, whose rules it comes after. */
export function writeBrandStyles(brand: Brand): string {
  const { fontRules, roles } = writeFonts(brand);
  const footer = brand.footer === '' ? [] : [`--brand-footer: ${quote(brand.footer)}`];
  const all = [...writeColors(brand), ...roles, ...footer];
  const rule = `${branded} {\n  ${[`--brand-theme: ${brand.theme}`, ...all].join(';\n  ')};\n}`;
  const foot = footer.length === 0 ? [] : [footRule];
  return `${[...fontRules, rule, ...(brand.logo ? writeLogo(brand.logo) : []), ...foot].join('\n')}\n`;
}

const footRule = `@page {
  @bottom-left {
    content: var(--brand-footer, none);
    font: 500 8.5pt / 1 var(--text-font);
    color: var(--soft);
    vertical-align: top;
    padding-top: 9mm;
    white-space: nowrap;
  }
}
@page cover {
  @bottom-left {
    content: none;
  }
}`;
