import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { FileFacts } from '../panel/file-facts.tsx';
import { CutNote } from '../panel/cut-note.tsx';
import { endingOf } from '../files/preview-kind.ts';
import { PreviewLoading } from '../panel/preview-loading.tsx';
import { PreviewProblem } from '../panel/preview-problem.tsx';
import type { PreviewViewProps } from '../panel/preview-view.ts';
import { useFile } from '../files/use-file.ts';
import { startTrustedWorker } from '../files/trusted-worker.ts';
import { callWorker } from '../files/worker-call.ts';
import { CellBar } from './cell-bar.tsx';
import type { SheetData } from './sheet-data.ts';
import { SheetGrid } from './sheet-grid.tsx';
import type { CellPlace } from './sheet-line.tsx';
import type { SheetQuestion } from './sheet-worker.ts';
// oxlint-disable-next-line import/default -- the build provides the URL of the file
import workerUrl from './sheet-worker.ts?worker&url';

const maxBytes = 25_000_000;
const timeoutMs = 15_000;

const startWorker = () => startTrustedWorker(workerUrl);

function formatOf(filename: string): SheetQuestion['format'] {
  const ending = endingOf(filename);
  if (ending === 'ods' || ending === 'xls') return ending;
  return ending === 'xlsx' || ending === 'xlsm' ? 'xlsx' : 'text';
}

function Workbook({ sheets, name }: { sheets: readonly SheetData[]; name: string }) {
  const { previews } = useText();
  const [chosen, setChosen] = useState('0');
  /** The selection in each sheet. */
  const [cells, setCells] = useState<Record<number, CellPlace>>({});
  return (
    <Tabs.Root value={chosen} onValueChange={setChosen} className="flex min-h-0 flex-1 flex-col">
      {sheets.map((sheet, index) => (
        <Tabs.Content
          key={index}
          value={String(index)}
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden"
        >
          {sheet.isCut && <CutNote />}
          <CellBar sheet={sheet} chosen={cells[index] ?? null} />
          <SheetGrid
            sheet={sheet}
            label={sheet.name === '' ? name : sheet.name}
            chosen={cells[index] ?? null}
            onChoose={(place) => setCells({ ...cells, [index]: place })}
          />
        </Tabs.Content>
      ))}
      {sheets.length > 1 && (
        <Tabs.List aria-label={previews.sheets} className="flex shrink-0 gap-1 overflow-x-auto border-t border-line px-2 py-1.5">
          {sheets.map((sheet, index) => (
            <Tabs.Trigger
              key={index}
              value={String(index)}
              className="rounded-md px-3 py-1 text-sm whitespace-nowrap text-soft hover:bg-hover hover:text-ink data-[state=active]:bg-accent-soft data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {sheet.name}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      )}
    </Tabs.Root>
  );
}

/** A spreadsheet or delimited text as tables. Parsed in a worker that is terminated if it takes too long. */
export function SheetPreview(view: PreviewViewProps) {
  const { previews } = useText();
  const { value, error } = useFile('sheet', view.file, { maxBytes }, (bytes, _isCut, signal) => {
    const question: SheetQuestion = { bytes, format: formatOf(view.file.filename) };
    return callWorker<SheetData[]>(startWorker, question, { timeoutMs, signal, transfer: [bytes.buffer] });
  });
  if (error) return <PreviewProblem {...view} error={error} />;
  if (!value) return <PreviewLoading />;
  if (value.every(({ rows, chartCount }) => rows.length === 0 && chartCount === 0))
    return <FileFacts file={view.file}>{previews.emptySheet}</FileFacts>;
  return <Workbook sheets={value} name={view.file.filename} />;
}
