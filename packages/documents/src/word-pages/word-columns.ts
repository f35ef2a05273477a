import { BorderStyle, type FileChild, Paragraph, Table, TableCell, TableLayoutType, TableRow, WidthType } from 'docx';
import type { PageElement } from './page-tree.ts';

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' };
const noBorders = { top: none, bottom: none, left: none, right: none };

export interface BoxLook {
  fill?: string;
  line?: string;
  /** The color of the edge above. */
  top?: string;
  /** The color of a line where the text begins. */
  start?: string;
}

export interface BoxColumn {
  share: number;
  look: BoxLook;
  write(width: number): FileChild[];
}

const isBox = ({ look }: BoxColumn) => look.fill !== undefined || look.line !== undefined;
/** Between boxes, in twentieths of a point. */
const gapWidth = 200;

function writeBox({ look, write }: BoxColumn, width: number, edges: { left: number; right: number }): TableCell {
  const edge = (size: number, color: string | undefined) =>
    color === undefined ? none : { style: BorderStyle.SINGLE, size, color };
  const line = edge(6, look.line);
  const side = look.fill === undefined && look.line === undefined ? 0 : 160;
  // The left border of a cell is that where the text begins, also in tables from right to left.
  const start = look.start === undefined ? {} : { left: edge(12, look.start) };
  const margins = { left: Math.max(side, edges.left), right: Math.max(side, edges.right), top: side, bottom: side };
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    borders: { top: look.top === undefined ? line : edge(18, look.top), bottom: line, left: line, right: line, ...start },
    ...(look.fill !== undefined && { shading: { fill: look.fill } }),
    margins,
    children: write(width - margins.left - margins.right) as (Paragraph | Table)[],
  });
}

/** Things side by side, in columns without lines, or in boxes that stand apart. */
export function writeColumns(
  cells: readonly BoxColumn[],
  place: { width: number; isMirrored: boolean; canSplit?: boolean },
): Table {
  const areApart = cells.some(isBox) && cells.length > 1;
  const gaps = areApart ? gapWidth * (cells.length - 1) : 0;
  const sum = cells.reduce((total, { share }) => total + share, 0);
  const widths = cells.map(({ share }) => Math.floor(((place.width - gaps) * share) / sum));
  const empty = () =>
    new TableCell({
      width: { size: gapWidth, type: WidthType.DXA },
      borders: noBorders,
      margins: { left: 0, right: 0, top: 0, bottom: 0 },
      children: [new Paragraph({ spacing: { before: 0, after: 0 } })],
    });
  const children = cells.flatMap((cell, at) => {
    const inner = areApart ? 0 : 160;
    const [before, after] = [at === 0 ? 0 : inner, at === cells.length - 1 ? 0 : inner];
    const edges = place.isMirrored ? { left: after, right: before } : { left: before, right: after };
    const made = writeBox(cell, widths[at] ?? 0, edges);
    return areApart && at > 0 ? [empty(), made] : [made];
  });
  return new Table({
    columnWidths: widths.flatMap((width, at) => (areApart && at > 0 ? [gapWidth, width] : [width])),
    layout: TableLayoutType.FIXED,
    width: { size: place.width, type: WidthType.DXA },
    visuallyRightToLeft: place.isMirrored,
    rows: [new TableRow({ cantSplit: place.canSplit !== true, children })],
  });
}

/** Names and what they are, line by line on one ground. */
export function writePairs(
  pairs: readonly (readonly [name: PageElement, value: PageElement | undefined])[],
  place: { width: number; isMirrored: boolean; fill: string },
  write: (cell: PageElement, width: number) => FileChild[],
): Table {
  const columnWidths = [Math.floor(place.width * 0.26), Math.floor(place.width * 0.74)];
  const rows = pairs.map(([name, value], at) => {
    const edge = { top: at === 0 ? 140 : 20, bottom: at === pairs.length - 1 ? 140 : 20 };
    const cells = [name, value].map((cell, column) => {
      const width = columnWidths[column] ?? 0;
      return new TableCell({
        width: { size: width, type: WidthType.DXA },
        borders: noBorders,
        shading: { fill: place.fill },
        margins: { left: 180, right: 120, ...edge },
        children: (cell ? write(cell, width - 300) : [new Paragraph('')]) as Paragraph[],
      });
    });
    return new TableRow({ cantSplit: true, children: cells });
  });
  return new Table({
    columnWidths,
    layout: TableLayoutType.FIXED,
    width: { size: place.width, type: WidthType.DXA },
    visuallyRightToLeft: place.isMirrored,
    rows,
  });
}
