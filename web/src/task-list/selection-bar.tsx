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

/** What can be done with all of them. One after the other: the service answers each in a few milliseconds, and a failure leaves the rest. */
function useBulkActions({ ids, isArchive, onEnd }: SelectionBarProps) {
  const { taskList } = useText();
  const [pin, archive, remove] = [usePinTask(), useArchiveTask(), useDeleteTask()];
  const [isBusy, setBusy] = useState(false);
  const apply = async (act: (taskId: string) => Promise<unknown>, said?: string) => {
    setBusy(true);
    try {
      for (const taskId of ids) await act(taskId);
      if (said !== undefined) showToast(said);
      onEnd();
    } finally {
      setBusy(false);
    }
  };
  const moved = isArchive ? taskList.restoredNow : taskList.archivedNow;
  return {
    isBusy,
    pin: () => void apply((taskId) => pin.mutateAsync({ taskId, isPinned: true })).catch(showError),
    move: () => void apply((taskId) => archive.mutateAsync({ taskId, isArchived: !isArchive }), moved).catch(showError),
    remove: () => apply((taskId) => remove.mutateAsync(taskId), taskList.deletedSelected),
  };
}

/** The bar above the list while tasks are being selected: their number, and what can be done with them. */
export function SelectionBar(props: SelectionBarProps) {
  const { ids, isArchive, onEnd } = props;
  const { taskList, ui } = useText();
  const count = useFormat().number(ids.size);
  const actions = useBulkActions(props);
  const [isAsking, setAsking] = useState(false);
  const disabled = ids.size === 0 || actions.isBusy;
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
        <Button size="small" look="quiet" disabled={disabled} onClick={actions.pin}>
          <Pin aria-hidden className="size-4" />
          {taskList.pin}
        </Button>
      )}
      <Button size="small" look="quiet" disabled={disabled} onClick={actions.move}>
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
        onConfirm={actions.remove}
      >
        {taskList.deleteSelectedBody}
      </ConfirmDialog>
    </div>
  );
}
