import type { Task } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { useRenameTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

const longestTitle = 200;

export interface TaskDialogProps {
  task: Task;
  isOpen: boolean;
  onClose(): void;
}

export function RenameDialog({ task, isOpen, onClose }: TaskDialogProps) {
  const { taskList, ui } = useText();
  const rename = useRenameTask();
  const [title, setTitle] = useState(task.title);
  const formId = `rename-${task.id}`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    rename.mutate({ taskId: task.id, title: title.trim() }, { onError: showError });
    onClose();
  };
  const actions = <DialogActions onCancel={onClose} label={ui.save} type="submit" form={formId} disabled={title.trim() === ''} />;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={taskList.rename} actions={actions}>
      <form id={formId} onSubmit={submit}>
        <TextField
          label={taskList.titleLabel}
          value={title}
          maxLength={longestTitle}
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
