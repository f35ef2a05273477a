import { Download, X } from 'lucide-react';
import { useState } from 'react';
import { downloadAll } from '../previews/files/download-all.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { showError } from '../ui/feedback/toast.tsx';

/** The maximum of one archive. */
const mostChosen = 100;

interface ChoiceBarProps {
  chosen: ReadonlySet<string>;
  onClear: () => void;
}

/** Actions for all selected artifacts. */
export function ChoiceBar({ chosen, onClear }: ChoiceBarProps) {
  const { library } = useText();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      await downloadAll({ artifactIds: [...chosen] });
      onClear();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  if (chosen.size === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label={library.chosenTools}
      className="appear fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-md items-center gap-2 rounded-lg bg-card py-2 pr-2 pl-4 shadow-float"
    >
      <span role="status" className="flex-1 text-sm font-medium">
        {library.chosen(chosen.size)}
      </span>
      <Button look="primary" size="small" isBusy={isBusy} disabled={chosen.size > mostChosen} onClick={() => void download()}>
        <Download aria-hidden className="size-4" />
        {library.downloadZip}
      </Button>
      <Button size="small" look="quiet" aria-label={library.clear} onClick={onClear}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}
