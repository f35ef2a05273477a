import type { Task } from '@errand/client';
import type { Conversation } from '../conversation/conversation.ts';
import { PlanView } from '../panel/plan-view.tsx';
import { SubtaskList } from '../panel/subtask-list.tsx';
import { TaskFacts } from '../panel/task-facts.tsx';
import { Activity } from './activity.tsx';

export interface NowViewProps {
  conversation: Conversation;
  task: Task | null;
  /** Whether it belongs to another user. */
  isReader: boolean;
}

/** What happens at this moment: the activity, the plan, subtasks, and cost. */
export function NowView({ conversation, task, isReader }: NowViewProps) {
  const { plan, status } = conversation;
  return (
    <div className="flex flex-col gap-6 p-5">
      <Activity conversation={conversation} />
      {plan.length > 0 && <PlanView plan={plan} isActive={status === 'running'} />}
      {task && !isReader && <SubtaskList taskId={task.id} status={status} />}
      {task && <TaskFacts task={task} isOwner={!isReader} />}
    </div>
  );
}
