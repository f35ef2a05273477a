import { Archive, ArchiveRestore, Pin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useArchiveTask, useDeleteTask, usePinTask } from '../api/task-actions.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { showError, showToast } from '../ui/feedback/toast.tsx';

interface SelectionBarProps {
  ids: ReadonlySet<string>;
  /** Whether they are archived. */
  isArchive: boolean;
  onEnd(): void;
}

/** Above the list while tasks are being selected: how many are, and what can be done with them. */
export function SelectionBar({ ids, isArchive, onEnd }: SelectionBarProps) {
  const { taskList, ui } = useText();
  const count = useFormat().number(ids.size);
  const [pin, archive, remove] = [usePinTask(), useArchiveTask(), useDeleteTask()];
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  // One after the other: the service answers each in a few milliseconds, and a failure leaves the rest as they are.
  const apply = async (act: (taskId: string) => Promise<unknown>, said: string) => {
    setBusy(true);
    try {
      for (const taskId of ids) await act(taskId);
      if (said !== '') showToast(said);
      onEnd();
    } finally {
      setBusy(false);
    }
  };
  const move = () =>
    apply(
      (taskId) => archive.mutateAsync({ taskId, isArchived: !isArchive }),
      isArchive ? taskList.restoredNow : taskList.archivedNow,
    );
  const raise = () => apply((taskId) => pin.mutateAsync({ taskId, isPinned: true }), '');
  const disabled = ids.size === 0 || isBusy;
  return (
    <div
      role="toolbar"
      aria-label={taskList.select}
      className="sticky top-2 z-20 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-card px-3 py-2 shadow-float max-md:top-15"
    >
      <span role="status" className="mr-auto text-sm font-medium">
        {taskList.selected(count)}
      </span>
      {!isArchive && (
        <Button size="small" look="quiet" disabled={disabled} onClick={() => void raise().catch(showError)}>
          <Pin aria-hidden className="size-4" />
          {taskList.pin}
        </Button>
      )}
      <Button size="small" look="quiet" disabled={disabled} onClick={() => void move().catch(showError)}>
        {isArchive ? <ArchiveRestore aria-hidden className="size-4" /> : <Archive aria-hidden className="size-4" />}
        {isArchive ? taskList.restore : taskList.archive}
      </Button>
      <Button size="small" look="quiet" className="text-bad" disabled={disabled} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-4" />
        {ui.delete}
      </Button>
      <Button size="small" onClick={onEnd}>
        {ui.cancel}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={taskList.deleteSelectedTitle(count)}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={() => apply((taskId) => remove.mutateAsync(taskId), taskList.deletedSelected)}
      >
        {taskList.deleteSelectedBody}
      </ConfirmDialog>
    </div>
  );
}
