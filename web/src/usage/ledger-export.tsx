import { Download } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { saveText } from '../ui/feedback/save-text.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { writeCsv } from './ledger-csv.ts';
import { readRecords } from './own-usage.ts';

/** Beyond this, only the newest records are exported. */
const mostPages = 200;

/** Exports all records for spreadsheet programs. */
export function LedgerExport() {
  const { usage } = useText();
  const write = useAction(async () => saveText(writeCsv(await readRecords(0, mostPages)), 'errand-credits.csv', 'text/csv'));
  return (
    <Button size="small" isBusy={write.isPending} onClick={() => write.mutate(undefined)}>
      <Download aria-hidden className="size-4" />
      {usage.exportCsv}
    </Button>
  );
}
