import type { Task } from '@errand/client';
import { useMutation } from '@tanstack/react-query';
import { errand } from './errand.ts';
import { queryClient } from './query-client.ts';
import { keys } from './query-keys.ts';
import { dropTask, patchTask } from './task-cache.ts';
import { callWeb } from './web-call.ts';

type Visibility = Task['share_visibility'];

/** Changes a task; shown immediately, rolled back on error. */
function useTaskChange<Input extends { taskId: string }>(
  facts: (input: Input) => Partial<Task>,
  send: (input: Input) => Promise<unknown>,
) {
  return useMutation({
    mutationFn: send,
    onMutate: (input: Input) => ({ undo: patchTask(input.taskId, facts(input)) }),
    onError: (_error, _input, context) => context?.undo(),
  });
}

export function useRenameTask() {
  return useTaskChange<{ taskId: string; title: string }>(
    ({ title }) => ({ title }),
    ({ taskId, title }) => errand.task.update({ task_id: taskId, title }),
  );
}

/** Changes who can see a task. The share link is known once the service has responded. */
export function useShareTask() {
  return useTaskChange<{ taskId: string; visibility: Visibility }>(
    ({ visibility }) => ({ share_visibility: visibility }),
    async ({ taskId, visibility }) => {
      const answer = await errand.task.update({ task_id: taskId, share_visibility: visibility });
      patchTask(taskId, answer.share_url === undefined ? {} : { share_url: answer.share_url });
      return answer;
    },
  );
}

/** Reads the lists again, because a task has another place in them. */
async function readListsAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keys.tasks });
}

/** Puts a task above the list, or back into it. */
export function usePinTask() {
  return useMutation({
    mutationFn: (input: { taskId: string; isPinned: boolean }) =>
      errand.task.update({ task_id: input.taskId, is_pinned: input.isPinned }),
    onSuccess: (_answer, { taskId }) => {
      void queryClient.invalidateQueries({ queryKey: keys.task(taskId) });
      return readListsAgain();
    },
  });
}

/** Takes a task out of the list, or back into it; it is gone from where it was immediately. */
export function useArchiveTask() {
  return useMutation({
    mutationFn: (input: { taskId: string; isArchived: boolean }) =>
      errand.task.update({ task_id: input.taskId, is_archived: input.isArchived }),
    onMutate: ({ taskId }) => ({ undo: dropTask(taskId) }),
    onError: (_error, _input, context) => context?.undo(),
    onSuccess: (_answer, { taskId }) => {
      void queryClient.invalidateQueries({ queryKey: keys.task(taskId) });
      return readListsAgain();
    },
  });
}

interface Repetition {
  taskId: string;
  /** The message with which the new task begins, after what was said before; the first one by default. */
  eventId?: string;
  /** Other words for it. */
  text?: string | undefined;
}

/** Starts a new task like another one; resolves with its id. */
export function useRepeatTask() {
  return useMutation({
    mutationFn: async ({ taskId, eventId, text }: Repetition) => {
      const from = { ...(eventId !== undefined && { event_id: eventId }), ...(text !== undefined && { text }) };
      return (await callWeb('task.repeat', { task_id: taskId, ...from })).task_id;
    },
    onSuccess: readListsAgain,
  });
}

export function useStopTask() {
  return useMutation({ mutationFn: (taskId: string) => errand.task.stop({ task_id: taskId }) });
}

/** Empties the agent's main task: its conversation begins anew. */
export function useClearTask() {
  return useMutation({
    mutationFn: (taskId: string) => errand.task.clear({ task_id: taskId }),
    onSuccess: (_answer, taskId) => queryClient.resetQueries({ queryKey: keys.task(taskId) }),
  });
}

/** Deletes a task permanently and removes it from the lists right away. */
export function useDeleteTask() {
  return useMutation({
    mutationFn: (taskId: string) => errand.task.delete({ task_id: taskId }),
    onMutate: (taskId: string) => ({ undo: dropTask(taskId) }),
    onError: (_error, _taskId, context) => context?.undo(),
    onSuccess: (_answer, taskId) => queryClient.removeQueries({ queryKey: keys.task(taskId) }),
  });
}
