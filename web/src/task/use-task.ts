import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { errand } from '../api/errand.ts';
import { queryClient } from '../api/query-client.ts';
import { keys } from '../api/query-keys.ts';
import { useStopTask } from '../api/task-actions.ts';
import { patchTask } from '../api/task-cache.ts';
import { showError } from '../ui/feedback/toast.tsx';
import type { Conversation } from './conversation/conversation.ts';
import { taskSource } from './feed/task-source.ts';
import { useTaskFeed } from './feed/use-task-feed.ts';
import { Outbox } from './message-outbox.ts';
import type { RowActions } from './rows/row-props.ts';
import { taskQuery } from './task-query.ts';
import { useAccess } from './use-access.ts';
import { useBranching } from './use-branching.ts';

const hiddenPollIntervalMs = 30_000;
/** How much of a budget is used changes without an event. */
const budgetPollIntervalMs = 5_000;

/** Reloads what the page knows of a task after its status has changed, or after a warning of its budget. */
function useNews(taskId: string, { status, stoppedBy, eventCount, notices }: Conversation): void {
  const known = useRef(status);
  useEffect(() => {
    if (eventCount === 0 || known.current === status) return;
    known.current = status;
    // Lists show it immediately; the cost is reloaded.
    patchTask(taskId, { status, stopped_by: stoppedBy });
    void queryClient.invalidateQueries({ queryKey: keys.task(taskId) });
    void queryClient.invalidateQueries({ queryKey: keys.credits });
  }, [taskId, status, stoppedBy, eventCount]);
  const { budgetWarning } = notices;
  useEffect(() => {
    if (budgetWarning) void queryClient.invalidateQueries({ queryKey: keys.task(taskId) });
  }, [taskId, budgetWarning]);
}

/** Everything the task page needs: the feed, task data, and actions. */
export function useTask(taskId: string) {
  const source = useMemo(() => taskSource(taskId), [taskId]);
  const feed = useTaskFeed(source);
  const outbox = useMemo(() => new Outbox(taskId, feed), [taskId, feed]);
  useEffect(() => outbox.restore(), [outbox]);
  // While the feed is idle because the page is hidden, the status is polled for the title of the tab.
  const isAsleep = feed.state.kind === 'asleep' && feed.conversation.status === 'running';
  const { data: task } = useQuery({
    ...taskQuery(taskId),
    refetchInterval: ({ state }) => {
      if (isAsleep) return hiddenPollIntervalMs;
      return feed.conversation.status === 'running' && state.data?.budget ? budgetPollIntervalMs : false;
    },
    refetchIntervalInBackground: true,
  });
  const access = useAccess(taskId, task);
  const isOwner = access?.kind === 'owner';
  const mayAct = isOwner || access?.kind === 'assignee';
  const stop = useStopTask();
  const { status, eventCount } = feed.conversation;
  useNews(taskId, feed.conversation);
  const ownBranching = useBranching(task);
  const branching = isOwner ? ownBranching : null;
  const actions = useMemo(
    (): RowActions => ({
      ...{ taskId, isOwner },
      answer: (text) => outbox.send({ content: text, attachments: [] }),
      confirm: async (eventId, input) => {
        const { confirmed } = await errand.task.confirmAction({ task_id: taskId, event_id: eventId, input });
        return confirmed;
      },
      sendAgain: (key) => void outbox.sendAgain(key),
      discard: (key) => outbox.discard(key),
      branching,
    }),
    [taskId, outbox, branching, isOwner],
  );
  const canStop = mayAct && eventCount > 0 && (status === 'running' || status === 'waiting');
  return {
    taskId,
    feed,
    task,
    outbox,
    access,
    /** Status of the task; null until loaded. */
    status: eventCount > 0 ? (isAsleep && task ? task.status : status) : null,
    /** Null for read-only viewers. */
    actions: mayAct ? actions : null,
    isStopping: stop.isPending,
    stop: canStop && !stop.isPending ? () => stop.mutate(taskId, { onError: showError }) : null,
  };
}

export type ShownTask = ReturnType<typeof useTask>;
