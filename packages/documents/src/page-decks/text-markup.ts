import { cleanText, escapeMarkup, safeLink } from '../clean-text.ts';
import { attribute, type ThemeColors, toPoints, toUnits, writeColor } from './drawing-markup.ts';
import type { PageDeck, PageParagraph, PageRun } from './page-deck-spec.ts';

/** What texts of a slide refer to. */
export interface TextContext {
  theme: ThemeColors;
  fonts: PageDeck['fonts'];
  language: string;
  /** The id of the slide's relationship to an address. */
  linkTo(address: string): string;
}

/** The fonts of the theme by their place in it, others by name. */
function writeFont(font: string, { fonts }: TextContext, isTitle: boolean): string {
  const place = isTitle && font === fonts.head ? '+mj' : font === fonts.text ? '+mn' : font === fonts.head ? '+mj' : null;
  if (place === null) return `<a:latin typeface="${attribute(font)}"/><a:cs typeface="${attribute(font)}"/>`;
  return `<a:latin typeface="${place}-lt"/><a:ea typeface="${place}-ea"/><a:cs typeface="${place}-cs"/>`;
}

function writeRunLook(run: PageRun, tag: string, context: TextContext, isTitle: boolean): string {
  const link = run.link === null ? null : safeLink(run.link);
  const look = [
    ...(context.language === '' ? [] : [`lang="${attribute(context.language)}"`]),
    `sz="${Math.max(100, toPoints(run.size))}"`,
    `b="${run.isBold ? 1 : 0}"`,
    `i="${run.isItalic ? 1 : 0}"`,
    ...(run.isUnderlined ? ['u="sng"'] : []),
    ...(run.isStruck ? ['strike="sngStrike"'] : []),
    ...(run.spacing === 0 ? [] : [`spc="${toPoints(run.spacing)}"`]),
    ...(run.shift === 0 ? [] : [`baseline="${run.shift > 0 ? 30_000 : -25_000}"`]),
    'dirty="0"',
  ];
  const jump = link === null ? '' : `<a:hlinkClick r:id="${context.linkTo(link)}"/>`;
  const fill = `<a:solidFill>${writeColor(run.color, context.theme)}</a:solidFill>`;
  return `<${tag} ${look.join(' ')}>${fill}${writeFont(run.font, context, isTitle)}${jump}</${tag}>`;
}

function writeRun(run: PageRun, context: TextContext, isTitle: boolean): string {
  const look = writeRunLook(run, 'a:rPr', context, isTitle);
  const pieces = cleanText(run.text)
    .split('\n')
    .map((text) => (text === '' ? '' : `<a:r>${look}<a:t>${escapeMarkup(text)}</a:t></a:r>`));
  return pieces.join(`<a:br>${look}</a:br>`);
}

const aligns = { left: 'l', center: 'ctr', right: 'r', justify: 'just' } as const;

function writeBullet(bullet: PageParagraph['bullet'], theme: ThemeColors): string {
  if (!bullet) return '<a:buNone/>';
  const color = `<a:buClr>${writeColor(bullet.color, theme)}</a:buClr>`;
  const number = /^(\d{1,5})([.)])$/.exec(bullet.text);
  if (!number) return `${color}<a:buFont typeface="Arial"/><a:buChar char="${attribute(bullet.text) || '•'}"/>`;
  const start = Math.min(32_767, Math.max(1, Number(number[1])));
  return `${color}<a:buFont typeface="+mj-lt"/><a:buAutoNum type="${number[2] === '.' ? 'arabicPeriod' : 'arabicParenR'}" startAt="${start}"/>`;
}

/** Lists count on by themselves: only the first item says where they begin. */
function countOn(paragraphs: readonly PageParagraph[]): PageParagraph[] {
  const numberOf = (paragraph: PageParagraph | undefined) => Number(/^(\d+)[.)]$/.exec(paragraph?.bullet?.text ?? '')?.[1]);
  return paragraphs.map((paragraph, at) => {
    let first = at;
    while (first > 0 && numberOf(paragraphs[first - 1]) === numberOf(paragraphs[first]) - 1) first -= 1;
    const start = paragraphs[first]?.bullet;
    return paragraph.bullet && start ? { ...paragraph, bullet: { ...paragraph.bullet, text: start.text } } : paragraph;
  });
}

function writeParagraph(paragraph: PageParagraph, context: TextContext, isTitle: boolean): string {
  const { runs, align, isRightToLeft, lineHeight, spaceBefore, bullet } = paragraph;
  const indent = toUnits(bullet?.indent ?? 0);
  const spacing = [
    ...(lineHeight > 0 ? [`<a:lnSpc><a:spcPts val="${Math.min(158_400, toPoints(lineHeight))}"/></a:lnSpc>`] : []),
    `<a:spcBef><a:spcPts val="${Math.min(158_400, toPoints(spaceBefore))}"/></a:spcBef><a:spcAft><a:spcPts val="0"/></a:spcAft>`,
  ];
  const look = `marL="${indent}" indent="${-indent}" algn="${aligns[align]}"${isRightToLeft ? ' rtl="1"' : ''}`;
  const [first] = runs;
  const end = first ? writeRunLook({ ...first, link: null }, 'a:endParaRPr', context, isTitle) : '';
  const inner = runs.map((run) => writeRun(run, context, isTitle)).join('');
  return `<a:p><a:pPr ${look}>${spacing.join('')}${writeBullet(bullet, context.theme)}</a:pPr>${inner}${end}</a:p>`;
}

/** The paragraphs of a shape or cell; an empty one if there are none, as the format wants it. */
export function writeParagraphs(paragraphs: readonly PageParagraph[], context: TextContext, isTitle = false): string {
  if (paragraphs.length === 0) return '<a:p><a:endParaRPr sz="800"/></a:p>';
  return countOn(paragraphs)
    .map((paragraph) => writeParagraph(paragraph, context, isTitle))
    .join('');
}
