import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { useDeleteTask } from '../../api/task-actions.ts';
import { ShareDialog } from '../../task-list/share-dialog.tsx';
import { useText } from '../../text/locale.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { Conversation } from '../conversation/conversation.ts';
import { CurlDialog } from './curl-dialog.tsx';

export type OpenDialog = 'share' | 'curl' | 'delete' | null;

interface TaskDialogsProps {
  task: Task;
  conversation: Conversation;
  open: OpenDialog;
  onClose(): void;
}

/** What began the task, and whether it could ask. */
function readFacts(task: Task, conversation: Conversation) {
  const view = conversation.view();
  const rows = Array.from({ length: view.length }, (_, index) => view.rowAt(index));
  const first = rows.find((row) => row?.kind === 'user');
  return {
    origin: window.location.origin,
    taskId: task.id,
    profile: task.agent_profile,
    firstMessage: first?.kind === 'user' ? first.text : '',
    isInteractive: rows.some((row) => row?.kind === 'question' || row?.kind === 'confirm'),
  };
}

/** The dialogs of a task, one at a time. */
export function TaskDialogs({ task: shown, conversation, open, onClose }: TaskDialogsProps) {
  const { task } = useText();
  const navigate = useNavigate();
  const remove = useDeleteTask();
  const confirm = async () => {
    await remove.mutateAsync(shown.id);
    showToast(task.deleted);
    await navigate({ to: '/' });
  };
  return (
    <>
      <ShareDialog task={shown} isOpen={open === 'share'} onClose={onClose} />
      {open === 'curl' && <CurlDialog facts={readFacts(shown, conversation)} isOpen onClose={onClose} />}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={onClose}
        title={task.deleteTitle}
        confirmLabel={task.delete}
        isDangerous
        onConfirm={confirm}
      >
        <p>{task.deleteBody}</p>
      </ConfirmDialog>
    </>
  );
}
