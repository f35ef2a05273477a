import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Pin, PinOff, RotateCw } from 'lucide-react';
import { useArchiveTask, usePinTask, useRepeatTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { MenuItem } from '../ui/controls/menu.tsx';
import { showError, showToast } from '../ui/feedback/toast.tsx';

/** The items of a task's menu that put it in order, or start it again. Agents' conversations stay where they are. */
export function OrderItems({ task }: { task: Task }) {
  const { taskList } = useText();
  const navigate = useNavigate();
  const [pin, archive, repeat] = [usePinTask(), useArchiveTask(), useRepeatTask()];
  const { id: taskId, is_pinned: isPinned = false, is_archived: isArchived = false } = task;
  const onError = showError;
  const move = () =>
    archive.mutate(
      { taskId, isArchived: !isArchived },
      { onError, onSuccess: () => showToast(isArchived ? taskList.restoredNow : taskList.archivedNow) },
    );
  const startAgain = async () => {
    const started = await repeat.mutateAsync({ taskId });
    showToast(taskList.startedAgain);
    await navigate({ to: '/app/$taskId', params: { taskId: started } });
  };
  if (task.task_type === 'agent_subtask') return null;
  return (
    <>
      <MenuItem icon={<RotateCw aria-hidden />} onSelect={() => void startAgain().catch(showError)}>
        {taskList.again}
      </MenuItem>
      {!isArchived && (
        <MenuItem
          icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
          onSelect={() => pin.mutate({ taskId, isPinned: !isPinned }, { onError })}
        >
          {isPinned ? taskList.unpin : taskList.pin}
        </MenuItem>
      )}
      <MenuItem icon={isArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />} onSelect={move}>
        {isArchived ? taskList.restore : taskList.archive}
      </MenuItem>
    </>
  );
}
