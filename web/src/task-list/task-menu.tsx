import type { Task } from '@errand/client';
import { CircleStop, Ellipsis, Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useDeleteTask, useStopTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

export interface TaskMenuProps {
  task: Task;
  /** After it has been deleted, such as leaving its page. */
  onDeleted?: () => void;
}

/** What can be done with a task, from any list and from its own page. */
export function TaskMenu({ task, onDeleted }: TaskMenuProps) {
  const { taskList, ui } = useText();
  const [open, setOpen] = useState<'rename' | 'share' | 'delete' | null>(null);
  const stop = useStopTask();
  const remove = useDeleteTask();
  const close = () => setOpen(null);
  const deleteTask = async () => {
    await remove.mutateAsync(task.id);
    showToast(taskList.deleted);
    onDeleted?.();
  };
  const isActive = task.status === 'running' || task.status === 'waiting';
  return (
    <>
      <Menu trigger={<IconButton label={taskList.actionsOf(task.title)} icon={<Ellipsis aria-hidden />} />}>
        {isActive && (
          <MenuItem icon={<CircleStop aria-hidden />} onSelect={() => stop.mutate(task.id, { onError: showError })}>
            {taskList.stop}
          </MenuItem>
        )}
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setOpen('rename')}>
          {taskList.rename}
        </MenuItem>
        <MenuItem icon={<Share2 aria-hidden />} onSelect={() => setOpen('share')}>
          {taskList.share}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => setOpen('delete')}>
          {ui.delete}
        </MenuItem>
      </Menu>
      {open === 'rename' && <RenameDialog task={task} isOpen onClose={close} />}
      {open === 'share' && <ShareDialog task={task} isOpen onClose={close} />}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={taskList.deleteTitle}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={deleteTask}
      >
        {taskList.deleteBody(task.title)}
      </ConfirmDialog>
    </>
  );
}
