import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import { saveText } from '../../ui/feedback/save-text.ts';

/** Shows new recovery codes, once: neither Escape nor a click beside it closes the dialog, only the word that they are kept. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { twoStep } = useText();
  const email = useSession().data?.account.email ?? '';
  const [isWarned, setWarned] = useState(false);
  const listed = `${twoStep.codesOf(email)}\n\n${codes.join('\n')}\n`;
  const done = (
    <Button look="primary" onClick={onClose}>
      {twoStep.saved}
    </Button>
  );
  return (
    <Dialog isOpen onClose={() => setWarned(true)} title={twoStep.codes} lead={twoStep.codesLead} actions={done}>
      {isWarned && (
        <p role="alert" className="mb-3 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
          {twoStep.saveFirst}
        </p>
      )}
      <div data-print-alone>
        <p className="hidden print:block">{twoStep.codesOf(email)}</p>
        <ol aria-label={twoStep.codes} className="grid gap-x-6 gap-y-1 rounded-md bg-hover px-3 py-2.5 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>
              <code className="font-mono text-sm select-all">{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={listed} label={twoStep.copyAll} isLabelled />
        <Button size="small" onClick={() => saveText(listed, 'errand-recovery-codes.txt', 'text/plain')}>
          <Download aria-hidden className="size-4" />
          {twoStep.download}
        </Button>
        <Button size="small" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {twoStep.print}
        </Button>
      </div>
    </Dialog>
  );
}
