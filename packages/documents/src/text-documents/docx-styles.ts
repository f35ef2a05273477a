import { BorderStyle, LineRuleType, type IStylesOptions } from 'docx';

const font = 'Liberation Sans';
const ink = { text: '1E293B', strong: '0F172A', muted: '64748B', accent: '1D4ED8', line: 'CBD5E1' } as const;

function heading(halfPoints: number, before: number, after: number) {
  return {
    run: { size: halfPoints, bold: true, color: ink.strong, font },
    paragraph: { spacing: { before, after, line: 264, lineRule: LineRuleType.AUTO }, keepNext: true },
  };
}

const bar = { style: BorderStyle.SINGLE, size: 18, color: 'BFDBFE', space: 10 };

const paragraphStyles: NonNullable<IStylesOptions['paragraphStyles']> = [
  { id: 'Subtitle', name: 'Subtitle', basedOn: 'Normal', run: { size: 27, color: ink.muted } },
  {
    id: 'Byline',
    name: 'Byline',
    basedOn: 'Normal',
    run: { size: 20, color: ink.muted },
    paragraph: { spacing: { after: 420 } },
  },
  {
    id: 'ListText',
    name: 'List Text',
    basedOn: 'Normal',
    paragraph: { spacing: { after: 140, line: 290, lineRule: LineRuleType.AUTO }, contextualSpacing: true },
  },
  {
    id: 'Quote',
    name: 'Quote',
    basedOn: 'Normal',
    run: { italics: true, color: ink.muted },
    paragraph: { border: { left: bar }, indent: { left: 280 }, spacing: { before: 60 } },
  },
  {
    id: 'CodeBlock',
    name: 'Code Block',
    basedOn: 'Normal',
    run: { font: 'Liberation Mono', size: 18, color: ink.strong, noProof: true },
    paragraph: {
      spacing: { before: 0, after: 0, line: 260, lineRule: LineRuleType.AUTO },
      indent: { left: 120, right: 120 },
    },
  },
  {
    id: 'Caption',
    name: 'Caption',
    basedOn: 'Normal',
    run: { size: 18, color: ink.muted },
    paragraph: { spacing: { after: 200 } },
  },
  { id: 'FooterText', name: 'Footer Text', basedOn: 'Normal', run: { size: 17, color: ink.muted } },
];

/** The appearance of a document; readers can change all of it through its styles. */
export function docxStyles(language: string): IStylesOptions {
  return {
    default: {
      document: {
        run: { font, size: 21, color: ink.text, ...(language === '' ? {} : { language: { value: language } }) },
        paragraph: { spacing: { after: 140, line: 300, lineRule: LineRuleType.AUTO } },
      },
      title: {
        run: { size: 50, bold: true, color: ink.strong, font },
        paragraph: { spacing: { after: 80, line: 264, lineRule: LineRuleType.AUTO }, keepNext: true },
      },
      heading1: heading(40, 420, 140),
      heading2: heading(31, 360, 110),
      heading3: heading(25, 280, 80),
      heading4: heading(22, 220, 60),
      heading5: heading(21, 200, 60),
      heading6: heading(21, 200, 60),
      hyperlink: { run: { color: ink.accent, underline: {} } },
    },
    paragraphStyles,
    characterStyles: [
      {
        id: 'InlineCode',
        name: 'Inline Code',
        run: { font: 'Liberation Mono', size: 19, color: '9F1239', noProof: true },
      },
    ],
  };
}
