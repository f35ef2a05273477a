import type { Artifact } from '@errand/client/operations.ts';
import { useId, useState } from 'react';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

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
  const actions = <DialogActions onCancel={onClose} label={ui.save} type="submit" form={form} disabled={name.trim() === ''} />;
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
