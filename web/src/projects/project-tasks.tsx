import { Link } from '@tanstack/react-router';
import type { ListedTask } from '../api/task-cache.ts';
import { useText } from '../text/locale.ts';
import { TaskRow } from '../task-list/task-row.tsx';
import { linkClasses } from '../ui/display/link.tsx';

const mostShown = 5;

/** The newest tasks of a project, and the way to all of them. */
export function ProjectTasks({ projectId, tasks }: { projectId: string; tasks: readonly ListedTask[] }) {
  const { projects } = useText();
  return (
    <section aria-labelledby="project-tasks" className="mb-10">
      <div className="mb-2 flex items-baseline justify-between gap-4">
        <h2 id="project-tasks" className="font-medium">
          {projects.recentTasks}
        </h2>
        <Link to="/" search={{ project: projectId }} className={linkClasses}>
          {projects.tasks}
        </Link>
      </div>
      <div className="border-t border-line">
        {tasks.length === 0 && <p className="py-4 text-sm text-soft">{projects.noTasks}</p>}
        <ul>
          {tasks.slice(0, mostShown).map((task) => (
            <li key={task.id}>
              <TaskRow task={task} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
