import { findEastAsianFont } from '../fonts/east-asian-font.ts';
import { AlignmentType, BorderStyle, type IStylesOptions, LineRuleType } from 'docx';
import type { WordTheme } from './word-theme.ts';

type ParagraphStyle = NonNullable<IStylesOptions['paragraphStyles']>[number];

/** The paragraph styles of callouts, by what they say. */
export const calloutStyles = { plain: 'Callout', good: 'CalloutGood', warn: 'CalloutWarning', bad: 'CalloutRisk' } as const;

const auto = LineRuleType.AUTO;

/** The font of a text, with another one for Chinese, Japanese, or Korean characters. */
function nameFonts(family: string, language: string) {
  const eastAsia = findEastAsianFont(language);
  return eastAsia === null ? family : { ascii: family, hAnsi: family, cs: family, eastAsia };
}

type StyleTheme = Omit<WordTheme, 'headFont'> & { headFont: ReturnType<typeof nameFonts> };

function headings({ colors, headFont }: StyleTheme) {
  const one = (size: number, before: number, after: number) => ({
    run: { size, bold: true, color: colors.ink, font: headFont },
    paragraph: { spacing: { before, after, line: 254, lineRule: auto }, keepNext: true, keepLines: true },
  });
  return {
    title: { ...one(56, 0, 160), paragraph: { spacing: { after: 160, line: 247, lineRule: auto }, keepNext: true } },
    heading1: one(38, 440, 160),
    heading2: one(28, 340, 110),
    heading3: one(23, 260, 80),
    heading4: one(21, 220, 60),
    heading5: one(21, 200, 60),
    heading6: one(21, 200, 60),
  };
}

/** A line where the text begins. */
function sideLine(size: number, color: string, isMirrored: boolean) {
  const line = { style: BorderStyle.SINGLE, size, color, space: 10 };
  return isMirrored ? { right: line } : { left: line };
}

function callout(id: string, name: string, colors: readonly [line: string, fill: string], isMirrored: boolean): ParagraphStyle {
  const [color, fill] = colors;
  // A line in the color of the ground keeps the words off its edges.
  const edge = { style: BorderStyle.SINGLE, size: 4, color: fill, space: 8 };
  const end = isMirrored ? { left: edge } : { right: edge };
  return {
    ...{ id, name, basedOn: 'Normal', quickFormat: true },
    paragraph: {
      border: { ...sideLine(24, color, isMirrored), ...end, top: edge, bottom: edge },
      shading: { fill },
      indent: { start: 260, end: 160 },
      spacing: { before: 240, after: 280, line: 288, lineRule: auto },
      keepLines: true,
    },
  };
}

function smallText(id: string, name: string, color: string, size: number, spacing: object, more: object = {}): ParagraphStyle {
  return { id, name, basedOn: 'Normal', run: { size, color }, paragraph: { spacing, ...more } };
}

/** What is smaller than the text, beside or below it. */
function smallStyles({ colors }: StyleTheme): ParagraphStyle[] {
  return [
    smallText('Subtitle', 'Subtitle', colors.soft, 27, { after: 160 }),
    smallText('Byline', 'Byline', colors.soft, 20, { after: 420 }),
    smallText('Kicker', 'Kicker', colors.accent, 19, { before: 60, after: 60 }, { keepNext: true }),
    smallText('Source', 'Source', colors.soft, 17, { before: 60, after: 200 }),
    smallText('Caption', 'caption', colors.soft, 18, { before: 120, after: 120 }, { keepLines: true }),
    smallText('Header', 'header', colors.soft, 17, { after: 0 }),
    smallText('Footer', 'footer', colors.soft, 17, { after: 0 }),
    smallText('FootnoteText', 'footnote text', colors.soft, 17, { after: 40, line: 240, lineRule: auto }),
    smallText('TableText', 'Table Text', colors.ink, 19, { before: 40, after: 40, line: 252, lineRule: auto }),
    smallText('QuoteSource', 'Quote Source', colors.soft, 18, { after: 220 }, { indent: { start: 300 } }),
    smallText('CvRole', 'CV Role', colors.accent, 24, { after: 0 }),
    smallText('Where', 'Where', colors.soft, 19, { after: 50 }, { keepNext: true }),
    smallText('LetterDate', 'Letter Date', colors.soft, 21, { after: 280 }),
    smallText('When', 'When', colors.accent, 21, { after: 90, line: 288, lineRule: auto }, { keepNext: true }),
    smallText('FigureLabel', 'Figure Label', colors.soft, 17, { after: 40, line: 252, lineRule: auto }),
  ];
}

function contentsStyles({ headFont }: StyleTheme): ParagraphStyle[] {
  const entry = (level: number): ParagraphStyle => ({
    ...{ id: `TOC${level}`, name: `toc ${level}`, basedOn: 'Normal' },
    run: { bold: level === 1 },
    paragraph: {
      indent: { start: (level - 1) * 300 },
      spacing: { before: level === 1 ? 120 : 0, after: 40 },
    },
  });
  return [
    {
      id: 'TOCHeading',
      name: 'TOC Heading',
      basedOn: 'Normal',
      run: { size: 38, bold: true, font: headFont },
      paragraph: { spacing: { after: 200 }, keepNext: true },
    },
    ...[1, 2, 3].map(entry),
  ];
}

/** @param share of the usual space between blocks */
function blockStyles({ colors, headFont }: StyleTheme, isMirrored: boolean, share: number): ParagraphStyle[] {
  const text = { basedOn: 'Normal', quickFormat: true };
  return [
    {
      id: 'Lead',
      name: 'Lead',
      ...text,
      run: { size: share < 1 ? 23 : 25 },
      paragraph: { spacing: { after: 220 * share, line: 300 - (1 - share) * 60, lineRule: auto } },
    },
    {
      id: 'KeyFigure',
      name: 'Key Figure',
      ...text,
      run: { size: 38, bold: true, color: colors.accent, font: headFont },
      paragraph: { spacing: { before: 60, after: 20 }, keepNext: true },
    },
    {
      ...{ id: 'BoxHeading', name: 'Box Heading', ...text },
      run: { size: 24, bold: true, color: colors.ink, font: headFont },
      paragraph: { spacing: { before: 40, after: 80, line: 254, lineRule: auto }, keepNext: true },
    },
    {
      id: 'ListText',
      name: 'List Text',
      ...text,
      paragraph: { spacing: { after: 90 * share, line: 288 - (1 - share) * 48, lineRule: auto } },
    },
    {
      ...{ id: 'Quote', name: 'Quote', ...text },
      run: { italics: true, size: 24, color: colors.ink },
      paragraph: {
        border: sideLine(18, colors.accent, isMirrored),
        indent: { start: 300, end: 300 },
        spacing: { before: 160, after: 160 },
      },
    },
    callout(calloutStyles.plain, 'Callout', [colors.accent, colors.tint], isMirrored),
    callout(calloutStyles.good, 'Callout Good', [colors.good, colors['good-tint']], isMirrored),
    callout(calloutStyles.warn, 'Callout Warning', [colors.warn, colors['warn-tint']], isMirrored),
    callout(calloutStyles.bad, 'Callout Risk', [colors.bad, colors['bad-tint']], isMirrored),
    {
      ...{ id: 'CodeBlock', name: 'Code Block', basedOn: 'Normal' },
      run: { font: 'Courier New', size: 18, noProof: true },
      paragraph: {
        shading: { fill: colors.surface },
        spacing: { before: 0, after: 0, line: 250, lineRule: auto },
        indent: { start: 120, end: 120 },
      },
    },
  ];
}

/** Headings of a curriculum vitae, whose lines are few and short. @param size of the text, in half points */
function compactHeadings({ colors, headFont }: StyleTheme, size: number) {
  const one = (grown: number, color: string, before: number, after: number) => ({
    run: { size: size + grown, bold: true, color, font: headFont },
    paragraph: { spacing: { before, after, line: 247, lineRule: auto }, keepNext: true, keepLines: true },
  });
  return {
    title: { ...one(35, colors.ink, 0, 60), paragraph: { spacing: { before: 0, after: 60, line: 240, lineRule: auto } } },
    heading1: one(4, colors.accent, 260, 90),
    heading2: one(2, colors.ink, 150, 20),
    heading3: one(1, colors.ink, 120, 20),
  };
}

/**
 * The styles of a document, by which people can change all of it.
 *
 * @param cvSize the size of the text of a curriculum vitae, in half points; null for other documents
 */
export function wordStyles(
  theme: WordTheme,
  language: string,
  isMirrored: boolean,
  cvSize: number | null = null,
): IStylesOptions {
  const { colors, textFont } = theme;
  const styled = { ...theme, headFont: nameFonts(theme.headFont, language) };
  return {
    default: {
      document: {
        run: {
          font: nameFonts(textFont, language),
          size: cvSize ?? 21,
          color: colors.ink,
          ...(language !== '' && { language: { value: language, eastAsia: language, bidirectional: language } }),
        },
        paragraph: {
          spacing: cvSize === null ? { after: 150, line: 295, lineRule: auto } : { after: 80, line: 264, lineRule: auto },
          alignment: AlignmentType.START,
        },
      },
      ...headings(styled),
      ...(cvSize !== null && compactHeadings(styled, cvSize)),
      hyperlink: { run: { color: colors.accent, underline: {} } },
    },
    paragraphStyles: [
      ...smallStyles(styled),
      ...contentsStyles(styled),
      ...blockStyles(styled, isMirrored, cvSize === null ? 1 : 0.5),
    ],
    characterStyles: [{ id: 'InlineCode', name: 'Inline Code', run: { font: 'Courier New', size: 19, noProof: true } }],
  };
}
