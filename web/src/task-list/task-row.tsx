import type { Task } from '@errand/client';
import type { ListedTask } from '../api/task-cache.ts';
import { Link } from '@tanstack/react-router';
import { Globe, Pin, SquareCheck, UserRoundCheck, Users } from 'lucide-react';
import { nameRow } from './row-name.ts';
import { useText } from '../text/locale.ts';
import { shownStatus, TaskStatusIcon, TaskStatusWord } from '../ui/display/task-status.tsx';
import { Time } from '../ui/display/time.tsx';
import { useCost } from './use-cost.ts';
import { MatchLine } from './match-line.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { MenuItem } from '../ui/controls/menu.tsx';
import { TaskMenu } from './task-menu.tsx';
import type { Selection } from './use-selection.ts';

function SharedSign({ visibility }: { visibility: Task['share_visibility'] }) {
  const { taskList } = useText();
  if (visibility === 'private') return null;
  const Icon = visibility === 'public' ? Globe : Users;
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden className="size-3.5" />
      {taskList.visibility[visibility]}
    </span>
  );
}

interface TaskRowProps {
  task: ListedTask;
  /** Null where tasks cannot be selected. */
  selection?: Selection | null;
  /** Whether it is a task of this person, and not one that a teammate has handed over. */
  isOwn?: boolean;
}

/** Selects the task wherever its row is pressed. */
function SelectBox({ task, selection }: { task: ListedTask; selection: Selection }) {
  const { app, taskList } = useText();
  return (
    <label className="absolute inset-0 z-10 cursor-pointer">
      <input
        type="checkbox"
        aria-label={taskList.selectTask(task.title || app.untitled)}
        checked={selection.ids?.has(task.id) === true}
        onChange={() => selection.toggle(task.id)}
        className="absolute top-3.5 left-2 size-4.5 accent-accent sm:left-3"
      />
    </label>
  );
}

/** A task in a list; its title links to it, and to the message in which words were found. */
export function TaskRow({ task, selection = null, isOwn = true }: TaskRowProps) {
  const { app, taskList, ui } = useText();
  const cost = useCost();
  const isSelecting = selection !== null && selection.ids !== null;
  const { credit_usage: credits, created_by_api_key: key, match } = task;
  return (
    <div className="group relative flex items-start gap-3 border-b border-line py-3 pr-1 pl-2 hover:bg-hover sm:pl-3">
      {selection && isSelecting && <SelectBox task={task} selection={selection} />}
      <TaskStatusIcon task={task} className={joinClasses('mt-0.5', isSelecting && 'invisible')} />
      <div className="min-w-0 flex-1">
        <Link
          to="/app/$taskId"
          params={{ taskId: task.id }}
          {...(match?.event_id !== undefined && { hash: nameRow(match.event_id) })}
          className="block truncate font-medium before:absolute before:inset-0 before:content-['']"
        >
          {task.title || app.untitled}
        </Link>
        {match && <MatchLine match={match} />}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
          {shownStatus(task) === 'stopped' ? (
            <span className="sr-only">{ui.taskStatus.stopped}</span>
          ) : (
            <TaskStatusWord task={task} />
          )}
          <Time ms={task.created_at * 1000} />
          {task.task_type !== 'standard' && <span>{taskList.types[task.task_type]}</span>}
          {key?.name !== undefined && <span className="truncate">{taskList.byKey(key.name)}</span>}
          {cost.hasCredits && credits !== undefined && credits > 0 && <span>{cost.ofReply(credits)}</span>}
          {task.is_pinned && (
            <span className="inline-flex items-center gap-1">
              <Pin aria-hidden className="size-3.5" />
              {taskList.pinned}
            </span>
          )}
          {task.assignee !== undefined && (
            <span className="inline-flex items-center gap-1">
              <UserRoundCheck aria-hidden className="size-3.5" />
              {isOwn ? taskList.handedOver : taskList.assignedToYou}
            </span>
          )}
          <SharedSign visibility={task.share_visibility} />
        </p>
      </div>
      {isOwn && (
        <div className="relative self-center">
          <TaskMenu task={task} label={taskList.actionsOf(task.title || app.untitled)}>
            {selection && (
              <MenuItem icon={<SquareCheck aria-hidden />} onSelect={() => selection.toggle(task.id)}>
                {taskList.select}
              </MenuItem>
            )}
          </TaskMenu>
        </div>
      )}
    </div>
  );
}
