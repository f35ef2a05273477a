import type { Artifact } from '@errand/client/operations.ts';
import { useId, useState } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/controls/field.tsx';

interface RenameDialogProps {
  /** Null while closed. */
  artifact: Artifact | null;
  onClose: () => void;
  onRename: (artifact: Artifact, name: string) => void;
}

/** Renames an artifact. Its filename stays. */
export function RenameDialog({ artifact, onClose, onRename }: RenameDialogProps) {
  return artifact && <RenameForm key={artifact.id} artifact={artifact} onClose={onClose} onRename={onRename} />;
}

function RenameForm({ artifact, onClose, onRename }: RenameDialogProps & { artifact: Artifact }) {
  const { library, ui } = useText();
  const form = useId();
  const [name, setName] = useState(artifact.display_name);
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (name.trim() !== '') onRename(artifact, name.trim());
    onClose();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{ui.cancel}</Button>
      <Button look="primary" type="submit" form={form} disabled={name.trim() === ''}>
        {ui.save}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={library.renameTitle} actions={actions}>
      <form id={form} onSubmit={submit}>
        <TextField
          label={library.name}
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </form>
    </Dialog>
  );
}
