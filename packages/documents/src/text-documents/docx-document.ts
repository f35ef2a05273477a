import {
  AlignmentType,
  BorderStyle,
  type FileChild,
  Document,
  Footer,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  LineRuleType,
  Packer,
  PageBreak,
  PageNumber,
  Paragraph,
  ShadingType,
  TabStopType,
  TextRun,
} from 'docx';
import { pageSizes } from '../content/page-size.ts';
import type { Block } from '../content/blocks.ts';
import type { DocumentSource } from '../content/document-source.ts';
import { writeRuns } from './docx-runs.ts';
import { docxStyles } from './docx-styles.ts';
import { writeTable } from './docx-table.ts';

const headingLevels = [
  ...[HeadingLevel.HEADING_1, HeadingLevel.HEADING_2, HeadingLevel.HEADING_3],
  ...[HeadingLevel.HEADING_4, HeadingLevel.HEADING_5, HeadingLevel.HEADING_6],
];
/** Twentieths of a point. */
const indentStep = 400;
const sideMargin = 1280;

interface Place {
  source: DocumentSource;
  /** Depth of the surrounding lists and quotes. */
  depth: number;
  isQuoted: boolean;
  /** Each ordered list has its own numbering. */
  newListInstance(): number;
}

function quoteOptions({ isQuoted, depth }: Place) {
  const indent = depth > 0 ? { indent: { left: depth * indentStep } } : {};
  return isQuoted ? { style: 'Quote', ...indent } : indent;
}

function writeItem(place: Place, block: Extract<Block, { type: 'list' }>, at: number, instance: number): FileChild[] {
  const item = block.items[at];
  const [first, ...rest] = item?.blocks ?? [];
  const box = item?.isChecked === null || item === undefined ? '' : item.isChecked ? '☑ ' : '☐ ';
  const runs = first?.type === 'paragraph' ? first.runs : [];
  const reference = block.isOrdered ? 'ordered' : 'bullets';
  const numbering = { reference, level: Math.min(place.depth, 8), instance };
  const paragraph = new Paragraph({
    style: 'ListText',
    children: [...(box === '' ? [] : [new TextRun(box)]), ...writeRuns(runs)],
    ...(box === '' ? { numbering } : { indent: { left: (place.depth + 1) * indentStep, hanging: 260 } }),
  });
  const others = first?.type === 'paragraph' ? rest : (item?.blocks ?? []);
  return [paragraph, ...writeBlocks({ ...place, depth: place.depth + 1 }, others)];
}

function writeList(place: Place, block: Extract<Block, { type: 'list' }>): FileChild[] {
  const instance = place.newListInstance();
  return block.items.flatMap((_, at) => writeItem(place, block, at, instance));
}

function writeCode(text: string): FileChild[] {
  const shading = { type: ShadingType.CLEAR, fill: 'F1F5F9', color: 'auto' };
  return text.split('\n').map((line) => new Paragraph({ style: 'CodeBlock', shading, children: [new TextRun(line)] }));
}

function writeImage({ source }: Place, path: string, caption: string): FileChild[] {
  const image = source.images.get(path);
  if (!image) return [];
  const available = (pageSizes[source.pageSize][0] - sideMargin / 10) * (96 / 72);
  const scale = Math.min(1, available / image.width, 800 / image.height);
  const transformation = { width: Math.round(image.width * scale), height: Math.round(image.height * scale) };
  const altText = { title: caption, description: caption, name: caption };
  const picture = new ImageRun({ type: image.format, data: image.bytes, transformation, altText });
  const centred = { alignment: AlignmentType.CENTER };
  const shown = new Paragraph({
    ...centred,
    keepNext: caption !== '',
    spacing: { before: 120, after: 80, line: 240, lineRule: LineRuleType.AUTO },
    children: [picture],
  });
  return caption === '' ? [shown] : [shown, new Paragraph({ ...centred, style: 'Caption', children: [new TextRun(caption)] })];
}

function writeBlock(place: Place, block: Block): FileChild[] {
  switch (block.type) {
    case 'heading': {
      const heading = headingLevels[block.level - 1] ?? HeadingLevel.HEADING_6;
      return [new Paragraph({ heading, children: writeRuns(block.runs) })];
    }
    case 'paragraph':
      return [new Paragraph({ ...quoteOptions(place), children: writeRuns(block.runs) })];
    case 'list':
      return writeList(place, block);
    case 'table':
      return [
        writeTable(block, pageSizes[place.source.pageSize][0] * 20 - 2 * sideMargin),
        new Paragraph({ spacing: { after: 60 } }),
      ];
    case 'code':
      return writeCode(block.text);
    case 'quote':
      return writeBlocks({ ...place, isQuoted: true }, block.blocks);
    case 'image':
      return writeImage(place, block.path, block.caption);
    case 'rule':
      return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: 'CBD5E1', space: 1 } } })];
    case 'contents':
      // A list by now.
      return [];
    case 'pageBreak':
      return [new Paragraph({ children: [new PageBreak()] })];
  }
}

function writeBlocks(place: Place, blocks: readonly Block[]): FileChild[] {
  return blocks.flatMap((block) => writeBlock(place, block));
}

function writeTitle({ title, subtitle, author, date, hasTitlePage }: DocumentSource): FileChild[] {
  if (title === '') return [];
  const byline = [author, date].filter((part) => part !== '').join(' · ');
  const spacing = hasTitlePage ? { spacing: { before: 4_000, after: 160 } } : {};
  return [
    new Paragraph({ heading: HeadingLevel.TITLE, ...spacing, children: [new TextRun(title)] }),
    ...(subtitle === '' ? [] : [new Paragraph({ style: 'Subtitle', children: [new TextRun(subtitle)] })]),
    ...(byline === '' ? [] : [new Paragraph({ style: 'Byline', children: [new TextRun(byline)] })]),
    ...(hasTitlePage ? [new Paragraph({ children: [new PageBreak()] })] : []),
  ];
}

function writeFooter({ title, pageSize }: DocumentSource): Footer {
  const position = pageSizes[pageSize][0] * 20 - 2 * sideMargin;
  const numbers = new TextRun({ children: ['\t', PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES] });
  const tabStops = [{ type: TabStopType.RIGHT, position }];
  return new Footer({ children: [new Paragraph({ style: 'FooterText', tabStops, children: [new TextRun(title), numbers] })] });
}

function describeLevels(isOrdered: boolean) {
  const marks = isOrdered ? ['%1.', '%2.', '%3.'] : ['•', '◦', '▪'];
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    format: isOrdered ? [LevelFormat.DECIMAL, LevelFormat.LOWER_LETTER, LevelFormat.LOWER_ROMAN][level % 3] : LevelFormat.BULLET,
    text: isOrdered ? `%${level + 1}.` : (marks[level % 3] ?? '•'),
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: (level + 1) * indentStep, hanging: 300 } } },
  })).map(({ format, ...level }) => (format === undefined ? level : { ...level, format }));
}

/** Writes a Word document. */
export async function makeDocx(source: DocumentSource): Promise<Uint8Array> {
  let lists = 0;
  const place: Place = { source, depth: 0, isQuoted: false, newListInstance: () => lists++ };
  const [width, height] = pageSizes[source.pageSize].map((points) => Math.round(points * 20));
  const margin = { top: 1_300, bottom: 1_300, left: sideMargin, right: sideMargin };
  const document = new Document({
    title: source.title,
    ...(source.subtitle === '' ? {} : { subject: source.subtitle }),
    creator: source.author || 'Errand',
    lastModifiedBy: source.author || 'Errand',
    styles: docxStyles(source.language),
    numbering: {
      config: [
        { reference: 'bullets', levels: describeLevels(false) },
        { reference: 'ordered', levels: describeLevels(true) },
      ],
    },
    sections: [
      {
        properties: {
          page: { size: { width: width ?? 11_906, height: height ?? 16_838 }, margin },
          titlePage: source.hasTitlePage,
        },
        footers: {
          default: writeFooter(source),
          first: source.hasTitlePage ? new Footer({ children: [] }) : writeFooter(source),
        },
        children: [...writeTitle(source), ...writeBlocks(place, source.blocks)],
      },
    ],
  });
  return new Uint8Array(await Packer.toArrayBuffer(document));
}
