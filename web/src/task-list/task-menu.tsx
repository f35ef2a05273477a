import type { Task } from '@errand/client';
import { CircleStop, Ellipsis, Pencil, Share2, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useDeleteTask, useStopTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/controls/menu.tsx';
import { showError, showToast } from '../ui/feedback/toast.tsx';
import { OrderItems } from './order-items.tsx';
import { RenameDialog } from './rename-task-dialog.tsx';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

export interface TaskMenuProps {
  task: Task;
  /** Accessible name, if the context does not identify the task. */
  label: string;
  /** Whether the user may change it; other users' tasks are read-only. */
  isOwn?: boolean;
  /** Replaces the rename dialog. */
  onRename?: () => void;
  /** Called after deletion, for example to leave the page. */
  onDeleted?: () => void;
  /** Additional items. */
  children?: ReactNode;
}

type OpenDialog = 'rename' | 'share' | 'delete' | null;

interface DialogsProps extends Pick<TaskMenuProps, 'task' | 'onDeleted'> {
  open: OpenDialog;
  onClose(): void;
}

function Dialogs({ task, open, onClose, onDeleted }: DialogsProps) {
  const { taskList, ui } = useText();
  const remove = useDeleteTask();
  const deleteTask = async () => {
    await remove.mutateAsync(task.id);
    showToast(taskList.deleted);
    onDeleted?.();
  };
  return (
    <>
      {open === 'rename' && <RenameDialog task={task} isOpen onClose={onClose} />}
      <Suspense>{open === 'share' && <ShareDialog task={task} isOpen onClose={onClose} />}</Suspense>
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={onClose}
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

/** The menu of a task, in lists and on its own page. */
export function TaskMenu({ task, label, isOwn = true, onRename, onDeleted, children }: TaskMenuProps) {
  const { taskList, ui } = useText();
  const [open, setOpen] = useState<OpenDialog>(null);
  const stop = useStopTask();
  const isActive = task.status === 'running' || task.status === 'waiting';
  return (
    <>
      <Menu trigger={<IconButton label={label} icon={<Ellipsis aria-hidden />} />}>
        {isOwn && isActive && (
          <MenuItem icon={<CircleStop aria-hidden />} onSelect={() => stop.mutate(task.id, { onError: showError })}>
            {taskList.stop}
          </MenuItem>
        )}
        {isOwn && (
          <MenuItem icon={<Pencil aria-hidden />} onSelect={onRename ?? (() => setOpen('rename'))}>
            {taskList.rename}
          </MenuItem>
        )}
        {isOwn && (
          <MenuItem icon={<Share2 aria-hidden />} onSelect={() => setOpen('share')}>
            {taskList.share}
          </MenuItem>
        )}
        {isOwn && <OrderItems task={task} />}
        {children}
        {isOwn && (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => setOpen('delete')}>
              {ui.delete}
            </MenuItem>
          </>
        )}
      </Menu>
      <Dialogs task={task} open={open} onClose={() => setOpen(null)} {...(onDeleted && { onDeleted })} />
    </>
  );
}
