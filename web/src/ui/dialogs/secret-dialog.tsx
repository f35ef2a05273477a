import { useState } from 'react';
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
  onCopied?(): void;
}

function Value({ name, value, onCopied }: ValueProps) {
  return (
    <div className="flex items-center gap-2 rounded-md bg-hover py-1.5 pr-1.5 pl-3">
      <code aria-label={name} className="min-w-0 flex-1 font-mono text-sm wrap-anywhere select-all">
        {value}
      </code>
      <CopyButton text={value} isLabelled {...(onCopied && { onCopied })} />
    </div>
  );
}

interface OneSecretProps {
  shown: ShownSecret;
  onClose(): void;
}

/** Shows a secret that can never be shown again: until it is copied, Escape and a click outside only warn. */
function OneSecret({ shown, onClose }: OneSecretProps) {
  const { ui } = useText();
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const done = (
    <Button look="primary" onClick={onClose}>
      {ui.done}
    </Button>
  );
  const leave = () => (isCopied ? onClose() : setWarned(true));
  return (
    <Dialog isOpen onClose={leave} title={shown.title} lead={shown.lead} actions={done}>
      <div className="flex flex-col gap-3">
        {isWarned && !isCopied && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
            {ui.copyFirst}
          </p>
        )}
        {shown.facts?.map(({ name, value }) => (
          <div key={name}>
            <p className="mb-1 text-sm text-soft">{name}</p>
            <Value name={name} value={value} />
          </div>
        ))}
        <Value name={shown.title} value={shown.secret} onCopied={() => setCopied(true)} />
      </div>
    </Dialog>
  );
}

/** Shows a secret until the user has copied it or confirms having saved it. */
export function SecretDialog({ shown, onClose }: { shown: ShownSecret | null; onClose(): void }) {
  return shown && <OneSecret key={shown.secret} shown={shown} onClose={onClose} />;
}
