import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRepeatTask } from '../api/task-actions.ts';
import { useText } from '../text/locale.ts';
import { showError, showToast } from '../ui/feedback/toast.tsx';
import type { Branching } from './rows/row-props.ts';

/** Leads from a message to a new task that begins with the conversation up to it; null for the conversations of agents. */
export function useBranching(task: Task | undefined): Branching | null {
  const { branch } = useText().task;
  const navigate = useNavigate();
  const { mutateAsync, isPending: isBusy } = useRepeatTask();
  const taskId = task && task.task_type !== 'agent_subtask' ? task.id : null;
  return useMemo(() => {
    if (taskId === null) return null;
    const start = async (eventId: string, text?: string) => {
      try {
        const started = await mutateAsync({ taskId, eventId, text });
        showToast(branch.started);
        await navigate({ to: '/app/$taskId', params: { taskId: started } });
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    };
    return { start, isBusy };
  }, [taskId, isBusy, mutateAsync, navigate, branch]);
}
