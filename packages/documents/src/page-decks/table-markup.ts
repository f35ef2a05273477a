import { toUnits, writeFill, writeLine, writePlace } from './drawing-markup.ts';
import type { PageTable } from './page-deck-spec.ts';
import { type TextContext, writeParagraphs } from './text-markup.ts';

type Cell = NonNullable<PageTable['rows'][number]['cells'][number]>;

const anchors = { top: 't', middle: 'ctr', bottom: 'b' } as const;
const sideTags = ['a:lnL', 'a:lnT', 'a:lnR', 'a:lnB'] as const;
/** The order of the schema. */
const sideOrder = [0, 2, 1, 3] as const;

function writeCell(cell: Cell, merge: string, context: TextContext): string {
  const [left = 0, top = 0, right = 0, bottom = 0] = cell.padding.map(toUnits);
  const margins = `marL="${left}" marR="${right}" marT="${top}" marB="${bottom}"`;
  const lines = sideOrder.map((side) => writeLine(cell.borders[side] ?? null, context.theme, sideTags[side]));
  const text = `<a:txBody><a:bodyPr/><a:lstStyle/>${writeParagraphs(cell.paragraphs, context)}</a:txBody>`;
  return `<a:tc${merge}>${text}<a:tcPr ${margins} anchor="${anchors[cell.anchor]}">${lines.join('')}${writeFill(cell.fill, context.theme)}</a:tcPr></a:tc>`;
}

/** For each place of the grid, the cell that covers it from the left or from above. */
function findCovers(table: PageTable): Map<string, string> {
  const covers = new Map<string, string>();
  for (const [at, { cells }] of table.rows.entries()) {
    for (const [column, cell] of cells.entries()) {
      if (!cell) continue;
      for (let down = 0; down < cell.rows; down++) {
        for (let across = 0; across < cell.columns; across++) {
          if (down + across === 0) continue;
          covers.set(`${at + down},${column + across}`, `${across > 0 ? ' hMerge="1"' : ''}${down > 0 ? ' vMerge="1"' : ''}`);
        }
      }
    }
  }
  return covers;
}

const emptyCell = '<a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr sz="800"/></a:p></a:txBody><a:tcPr/>';

/** A table whose cells can be edited. */
export function writeTable(table: PageTable, id: number, context: TextContext): string {
  const covers = findCovers(table);
  const columns = table.columns.map((width) => `<a:gridCol w="${toUnits(width)}"/>`).join('');
  const rows = table.rows.map(({ height, cells }, at) => {
    const written = table.columns.map((_, column) => {
      const cell = cells[column];
      const cover = covers.get(`${at},${column}`);
      if (cover !== undefined || !cell) return `<a:tc${cover ?? ''}>${emptyCell}</a:tc>`;
      const spans = `${cell.columns > 1 ? ` gridSpan="${cell.columns}"` : ''}${cell.rows > 1 ? ` rowSpan="${cell.rows}"` : ''}`;
      return writeCell(cell, spans, context);
    });
    return `<a:tr h="${toUnits(height)}">${written.join('')}</a:tr>`;
  });
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>${writePlace(table.frame, 'p:xfrm')}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${columns}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}
