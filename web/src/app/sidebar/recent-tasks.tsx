import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTaskList } from '../../task-list/use-task-list.ts';
import { useText } from '../../text/locale.ts';
import { TaskStatusDot } from '../../ui/display/task-status.tsx';

const mostShown = 30;

/** The latest tasks with their status. The home page lists all. */
export function RecentTasks() {
  const { app } = useText();
  const { items } = useTaskList({});
  const { taskId } = useParams({ strict: false });
  const list = useRef<HTMLUListElement>(null);
  const isThere = items.length > 0;
  useEffect(() => {
    if (isThere && taskId !== undefined)
      list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [taskId, isThere]);
  if (items.length === 0) return null;
  return (
    <nav aria-label={app.recent} className="flex h-full min-h-0 flex-col">
      <h2 className="px-2.5 pb-1 text-xs font-medium text-soft">{app.recent}</h2>
      <ul ref={list} className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 [scrollbar-width:thin]">
        {items.slice(0, mostShown).map((task) => (
          <li key={task.id}>
            <Link
              to="/app/$taskId"
              params={{ taskId: task.id }}
              className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-sm text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink pointer-coarse:min-h-11"
            >
              <TaskStatusDot task={task} />
              <span className="truncate" title={task.title}>
                {task.title || app.untitled}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
