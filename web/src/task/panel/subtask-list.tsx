import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { taskShowQuery } from '../../api/task-show-query.ts';
import { useText } from '../../text/locale.ts';
import { TaskStatusIcon, TaskStatusWord } from '../../ui/display/task-status.tsx';
import type { TaskStatus } from '../conversation/row.ts';

/** Task updates refresh this; polling covers those that are not listed. */
const pollIntervalMs = 15_000;

/** The subtasks of a task. */
export function SubtaskList({ taskId, status }: { taskId: string; status: TaskStatus }) {
  const { task, app } = useText();
  const { data } = useQuery({ ...taskShowQuery(taskId), refetchInterval: status === 'running' ? pollIntervalMs : false });
  const subtasks = data?.subtasks ?? [];
  if (subtasks.length === 0) return null;
  return (
    <section aria-label={task.subtasks}>
      <h2 className="text-sm font-semibold">{task.subtasks}</h2>
      <ul className="-mx-2 mt-1">
        {subtasks.map((subtask) => (
          <li key={subtask.id}>
            <Link
              to="/app/$taskId"
              params={{ taskId: subtask.id }}
              className="flex items-start gap-2.5 rounded-md px-2 py-1.5 text-sm hover:bg-hover pointer-coarse:py-2.5"
            >
              <TaskStatusIcon task={subtask} className="mt-0.5 size-4" />
              <span className="min-w-0">
                <span className="block truncate" title={subtask.title}>
                  {subtask.title || app.untitled}
                </span>
                <span className="block text-xs text-soft">
                  <TaskStatusWord task={subtask} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
