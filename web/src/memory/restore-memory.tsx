import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { keyOf, type MemoryPlace } from './memory-place.ts';

const formId = 'memory-restore';

function RestoreDialog({ place, onClose }: { place: MemoryPlace; onClose(): void }) {
  const text = useText();
  const { memory } = text;
  const [at, setAt] = useState('');
  // The field shows this browser's clock.
  const restore = useAction(() => errand.memory.restore({ ...place, at: Math.floor(new Date(at).getTime() / 1000) }), {
    changes: [keyOf(place)],
    isQuiet: true,
    onDone: ({ restored }) => {
      showToast(memory.restoredFiles(restored.length));
      onClose();
    },
  });
  const problems = sortProblem(restore.error, ['at'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    restore.mutate(undefined);
  };
  const actions = (
    <DialogActions onCancel={onClose} label={memory.restoreStart} type="submit" form={formId} isBusy={restore.isPending} />
  );
  return (
    <Dialog isOpen onClose={onClose} title={memory.restoreAllTitle} lead={memory.restoreAllLead} actions={actions}>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={memory.restoreAt}
          type="datetime-local"
          step={1}
          required
          value={at}
          problem={problems.of('at')}
          onChange={(event) => setAt(event.target.value)}
        />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}

/** The button that makes a whole memory what it was at a time. */
export function RestoreMemory({ place }: { place: MemoryPlace }) {
  const { memory } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{memory.restoreAll}</Button>
      {isOpen && <RestoreDialog place={place} onClose={() => setOpen(false)} />}
    </>
  );
}
