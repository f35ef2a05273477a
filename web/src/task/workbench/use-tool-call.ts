import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../../api/query-keys.ts';
import { callWeb, type WebResponse } from '../../api/web-call.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ToolCall } from '../conversation/row.ts';
import type { Step } from '../conversation/step.ts';

/** A call of a tool with its whole command. */
type WholeCall = NonNullable<WebResponse<'task.modelCall'>['tool_call']>;

/** A call is in no event before it ends, so a page looks for the one that has begun since. */
const lookIntervalMs = 2_000;

/** The model call before a step, and the call of a tool that the step is. */
export const stepCallQuery = (taskId: string, eventId: string) =>
  queryOptions({
    queryKey: keys.modelCall(taskId, eventId),
    queryFn: ({ signal }) => callWeb('task.modelCall', { task_id: taskId, event_id: eventId }, { signal }),
    staleTime: Infinity,
  });

/** Whether a call has ended in an event after another. IDs of calls may occur again. */
function hasEnded({ steps }: Conversation, actionId: string, after: string): boolean {
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (!step || step.key <= after) return false;
    if (step.event.type === 'tool_used' && step.event.tool_used.action_id === actionId) return true;
  }
  return false;
}

/** The call of a tool that runs now; null for none, and for readers, whose `taskId` is null. */
export function useRunningCall(taskId: string | null, conversation: Conversation): WholeCall | null {
  const after = conversation.lastEventId ?? '';
  const isRunning = taskId !== null && conversation.status === 'running' && after !== '';
  const current = (found: { call: WholeCall | null; after: string } | undefined) =>
    found?.call && !hasEnded(conversation, found.call.action_id, found.after) ? found.call : null;
  const { data, refetch } = useQuery({
    queryKey: keys.runningCall(taskId ?? ''),
    queryFn: async ({ signal }) => {
      const { tool_call: call } = await callWeb('task.modelCall', { task_id: taskId ?? '' }, { signal });
      return { call, after };
    },
    enabled: isRunning,
    refetchInterval: ({ state }) => (current(state.data) ? false : lookIntervalMs),
  });
  // What has just ended is often followed by the next one.
  const isOld = isRunning && data !== undefined && data.after !== after;
  useEffect(() => {
    if (isOld) void refetch({ cancelRefetch: false });
  }, [isOld, refetch]);
  return isRunning ? current(data) : null;
}

/** The whole command of a call that has ended, of which its event has the beginning; null until known. */
export function useEndedInput(taskId: string | null, { steps }: Conversation, call: ToolCall | null): string | null {
  const isOf = ({ event }: Step) => event.type === 'tool_used' && event.tool_used.action_id === call?.actionId;
  const step = call === null || call.state === 'running' ? undefined : steps.findLast(isOf);
  const { data } = useQuery({ ...stepCallQuery(taskId ?? '', step?.key ?? ''), enabled: taskId !== null && step !== undefined });
  return data?.tool_call?.input || null;
}

/** A running call as it is shown before it has put anything out. */
export function showRunning({ action_id: actionId, tool, input: param }: WholeCall): ToolCall {
  const nothingYet = { brief: '', action: '', output: '', pictures: [], isCut: false };
  return { key: actionId, actionId, tool, state: 'running', param, ...nothingYet, atMs: null };
}
