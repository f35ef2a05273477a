import type { MarkupElement } from '../office-edit/markup/markup-tree.ts';
import type { OfficePackage } from '../office-edit/package/office-package.ts';
import { checkLogo } from './logo-check.ts';

const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const accents = ['accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'] as const;

/** The look of a template, as its theme has it. */
export interface TemplateLook {
  /** Colors such as `#0b57b0`, of those places of the theme that have one. */
  text?: string;
  background?: string;
  accents: string[];
  /** Names of families. */
  headingFont?: string;
  textFont?: string;
  /** A picture of its header or master. */
  logo?: { form: 'svg' | 'png'; content: Uint8Array };
}

function readColor(place: MarkupElement | undefined): string | undefined {
  const [color] = place?.elements ?? [];
  const value = color?.attribute(color.local === 'sysClr' ? 'lastClr' : 'val') ?? '';
  return /^[0-9a-f]{6}$/i.test(value) ? `#${value.toLowerCase()}` : undefined;
}

function readFont(scheme: MarkupElement | undefined, place: 'majorFont' | 'minorFont'): string | undefined {
  const family = scheme?.child(drawing, place)?.child(drawing, 'latin')?.attribute('typeface')?.slice(0, 80);
  return family === undefined || family === '' || family.startsWith('+') ? undefined : family;
}

/** Parts whose pictures are on every page: headers of Word, masters of PowerPoint and their layouts. */
function listFrames(template: OfficePackage): string[] {
  const isFrame = /^(word\/header\d*\.xml|ppt\/slideMasters\/[^/]+\.xml|ppt\/slideLayouts\/[^/]+\.xml)$/;
  return template
    .list()
    .filter((name) => isFrame.test(name))
    .toSorted();
}

async function findLogo(template: OfficePackage, mostBytes: number): Promise<TemplateLook['logo']> {
  const targets = listFrames(template).flatMap((frame) => template.relations(frame));
  const pictures = targets.filter(
    ({ type, isExternal, target }) => type === 'image' && !isExternal && /\.(png|svg)$/i.test(target),
  );
  for (const target of new Set(pictures.slice(0, 10).map((each) => each.target))) {
    if (!template.has(target)) continue;
    const content = template.bytes(target);
    if (content.length > mostBytes) continue;
    const form = await checkLogo(content).catch(() => null);
    if (form !== null) return { form, content };
  }
  return undefined;
}

/** Reads colors, fonts, and the logo out of a template. @param logoBytes larger pictures are no logos */
export async function readTemplateLook(template: OfficePackage, logoBytes: number): Promise<TemplateLook> {
  const part = template.list().find((name) => /^(word|ppt|xl)\/theme\/theme1?\.xml$/.test(name));
  const elements = part === undefined ? undefined : template.root(part).child(drawing, 'themeElements');
  const colors = elements?.child(drawing, 'clrScheme');
  const fonts = elements?.child(drawing, 'fontScheme');
  const [text, background] = [readColor(colors?.child(drawing, 'dk1')), readColor(colors?.child(drawing, 'lt1'))];
  const [headingFont, textFont] = [readFont(fonts, 'majorFont'), readFont(fonts, 'minorFont')];
  const logo = await findLogo(template, logoBytes);
  return {
    accents: accents.flatMap((place) => readColor(colors?.child(drawing, place)) ?? []),
    ...(text !== undefined && { text }),
    ...(background !== undefined && { background }),
    ...(headingFont !== undefined && { headingFont }),
    ...(textFont !== undefined && { textFont }),
    ...(logo && { logo }),
  };
}
