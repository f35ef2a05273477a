import type { Attachment, Task } from '@errand/client';
import { TaskSites } from '../../previews/website/task-sites.tsx';
import type { Conversation } from '../conversation/conversation.ts';
import { FileList } from './file-list.tsx';
import { PlanView } from './plan-view.tsx';
import { SubtaskList } from './subtask-list.tsx';
import { TaskFacts } from './task-facts.tsx';

export interface SidePanelProps {
  conversation: Conversation;
  /** Null for readers who only see the conversation. */
  task: Task | null;
  /** Whether it belongs to another user. */
  isReader: boolean;
  onOpenFile(file: Attachment): void;
}

/** The panel beside a conversation: plan, files and cost. */
export function SidePanel({ conversation, task, isReader, onOpenFile }: SidePanelProps) {
  const { plan, files, status } = conversation;
  return (
    <div className="flex flex-col gap-6 p-5">
      {plan.length > 0 && <PlanView plan={plan} isActive={status === 'running'} />}
      {task && !isReader && <SubtaskList taskId={task.id} status={status} />}
      <FileList files={files} isReader={isReader} onOpen={onOpenFile} />
      {task && <TaskSites taskId={task.id} status={status} />}
      {task && <TaskFacts task={task} />}
    </div>
  );
}
