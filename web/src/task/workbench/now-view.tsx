import type { Task } from '@errand/client';
import type { Conversation } from '../conversation/conversation.ts';
import type { ToolCall } from '../conversation/row.ts';
import { LiveBrowser } from '../browser/live-browser.tsx';
import { ServerPreview } from '../servers/server-preview.tsx';
import { PlanView } from '../panel/plan-view.tsx';
import { SubtaskList } from '../panel/subtask-list.tsx';
import { TaskFacts } from '../panel/task-facts.tsx';
import { Activity } from './activity.tsx';
import { GrowingFileView, MadePicture } from './growing-view.tsx';

/** Between two calls there may be a few messages. */
const searchedRows = 200;

/** The newest call that is such a one, among the newest; undefined for none. */
function findCall(conversation: Conversation, isWanted: (call: ToolCall) => boolean): ToolCall | undefined {
  const view = conversation.view();
  for (let index = view.length - 1; index >= Math.max(0, view.length - searchedRows); index -= 1) {
    const row = view.rowAt(index);
    const call = row?.kind === 'work' ? row.calls.findLast(isWanted) : undefined;
    if (call) return call;
  }
  return undefined;
}

function hasCall(conversation: Conversation, isWanted: (call: ToolCall) => boolean): boolean {
  return findCall(conversation, isWanted) !== undefined;
}

const draws = ({ pictures }: ToolCall) => pictures.length > 0;
const browses = ({ tool }: ToolCall) => tool === 'use_browser';
const runsCode = ({ tool }: ToolCall) => tool === 'run_shell' || tool === 'run_code';
/** Its result ends with the name of a process that runs on. */
const runsOn = (call: ToolCall) => runsCode(call) && /as process p\d+\]$/.test(call.output);

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
  const isLive = isPresent && !isReader;
  const file = isLive ? conversation.growingFile : null;
  const picture = findCall(conversation, draws)?.pictures.at(-1);
  const isWatching = isLive && status === 'running' && hasCall(conversation, browses);
  return (
    <div className="flex flex-col gap-6 p-5">
      {task && isWatching && <LiveBrowser key={task.id} taskId={task.id} />}
      {task && isLive && hasCall(conversation, runsCode) && (
        <ServerPreview
          key={`servers of ${task.id}`}
          taskId={task.id}
          isHeld={status === 'running'}
          hasBackground={hasCall(conversation, runsOn)}
        />
      )}
      {file && <GrowingFileView file={file} />}
      {picture && <MadePicture picture={picture} />}
      <Activity inputsOf={isReader ? null : (task?.id ?? null)} conversation={conversation} isPresent={isPresent} />
      {plan.length > 0 && <PlanView plan={plan} isActive={status === 'running'} />}
      {task && !isReader && <SubtaskList taskId={task.id} status={status} />}
      {task && <TaskFacts task={task} isOwner={!isReader} />}
    </div>
  );
}
