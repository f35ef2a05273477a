import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../feedback/copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that the service shows once. */
export interface ShownSecret {
  title: string;
  lead: string;
  secret: string;
  /** Related values that are not secret, by name. */
  facts?: readonly { name: string; value: string }[];
}

interface ValueProps {
  name: string;
  value: string;
}

function Value({ name, value }: ValueProps) {
  return (
    <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
      <code aria-label={name} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
        {value}
      </code>
      <CopyButton text={value} isLabelled />
    </div>
  );
}

/** Shows a secret until the user confirms having saved it. */
export function SecretDialog({ shown, onClose }: { shown: ShownSecret | null; onClose(): void }) {
  const { ui } = useText();
  const done = (
    <Button look="primary" onClick={onClose}>
      {ui.done}
    </Button>
  );
  return (
    <Dialog isOpen={shown !== null} onClose={onClose} title={shown?.title ?? ''} lead={shown?.lead} actions={done}>
      <div className="flex flex-col gap-3">
        {shown?.facts?.map(({ name, value }) => (
          <div key={name}>
            <p className="mb-1 text-sm text-soft">{name}</p>
            <Value name={name} value={value} />
          </div>
        ))}
        {shown && <Value name={shown.title} value={shown.secret} />}
      </div>
    </Dialog>
  );
}
