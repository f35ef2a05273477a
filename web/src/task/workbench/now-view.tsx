import type { Task } from '@errand/client';
import type { Conversation } from '../conversation/conversation.ts';
import { LiveBrowser } from '../browser/live-browser.tsx';
import { PlanView } from '../panel/plan-view.tsx';
import { SubtaskList } from '../panel/subtask-list.tsx';
import { TaskFacts } from '../panel/task-facts.tsx';
import { Activity } from './activity.tsx';

/** Between two calls there may be a few messages. */
const searchedRows = 200;

/** Whether the agent has used its browser in this run. */
function hasBrowsed(conversation: Conversation): boolean {
  const view = conversation.view();
  for (let index = view.length - 1; index >= Math.max(0, view.length - searchedRows); index -= 1) {
    const row = view.rowAt(index);
    if (row?.kind === 'work' && row.calls.some(({ tool }) => tool === 'use_browser')) return true;
  }
  return false;
}

export interface NowViewProps {
  conversation: Conversation;
  task: Task | null;
  /** Whether it belongs to another user. */
  isReader: boolean;
  /** Whether this is the present, and not a moment of a replay. */
  isPresent: boolean;
}

/** What happens at this moment: the activity, the plan, subtasks, and cost. */
export function NowView({ conversation, task, isReader, isPresent }: NowViewProps) {
  const { plan, status } = conversation;
  const isWatching = isPresent && !isReader && status === 'running' && hasBrowsed(conversation);
  return (
    <div className="flex flex-col gap-6 p-5">
      {task && isWatching && <LiveBrowser key={task.id} taskId={task.id} />}
      <Activity conversation={conversation} />
      {plan.length > 0 && <PlanView plan={plan} isActive={status === 'running'} />}
      {task && !isReader && <SubtaskList taskId={task.id} status={status} />}
      {task && <TaskFacts task={task} isOwner={!isReader} />}
    </div>
  );
}
