import { Download } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { writeCsv } from './ledger-csv.ts';
import { readRecords } from './own-usage.ts';

/** Beyond this, only the newest records are exported. */
const mostPages = 200;

function save(text: string, filename: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Exports all records for spreadsheet programs. */
export function LedgerExport() {
  const { usage } = useText();
  const write = useAction(async () => save(writeCsv(await readRecords(0, mostPages)), 'errand-credits.csv'));
  return (
    <Button size="small" isBusy={write.isPending} onClick={() => write.mutate(undefined)}>
      <Download aria-hidden className="size-4" />
      {usage.exportCsv}
    </Button>
  );
}
