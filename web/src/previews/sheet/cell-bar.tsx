import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { nameColumn, type SheetData } from './sheet-data.ts';
import type { CellPlace } from './sheet-line.tsx';

/** The selected cell: its name, and its formula or full value. */
export function CellBar({ sheet, chosen }: { sheet: SheetData; chosen: CellPlace | null }) {
  const { previews } = useText();
  const cell = chosen && sheet.rows[chosen.row]?.[chosen.column];
  return (
    <div className="flex min-h-9 shrink-0 items-center gap-3 border-b border-line px-3 py-1.5 text-xs">
      {chosen && (
        <span className="w-14 shrink-0 font-medium tabular-nums">{`${nameColumn(chosen.column)}${chosen.row + 1}`}</span>
      )}
      <output
        dir="auto"
        aria-label={previews.cell}
        className={joinClasses(
          'max-h-24 min-w-0 flex-1 overflow-auto whitespace-pre-wrap wrap-anywhere text-soft',
          chosen && 'font-mono',
        )}
      >
        {chosen ? (cell?.source ?? cell?.text ?? '') : previews.chooseCell}
      </output>
      {sheet.chartCount > 0 && <span className="shrink-0 text-soft">{previews.chartsAbsent(sheet.chartCount)}</span>}
    </div>
  );
}
