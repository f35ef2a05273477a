import { useText } from '../text/locale.ts';
import { TaskRow } from './task-row.tsx';
import type { Selection } from './use-selection.ts';
import { useTaskList } from './use-task-list.ts';

/** The tasks above the list; nothing without any. */
export function PinnedTasks({ selection }: { selection: Selection }) {
  const { taskList } = useText();
  const { items } = useTaskList({ is_pinned: true });
  const pinned = items.filter((task) => task.is_pinned);
  if (pinned.length === 0) return null;
  return (
    <section aria-labelledby="pinned">
      <h2 id="pinned" className="px-2 pt-5 pb-1 text-xs font-medium text-soft sm:px-3">
        {taskList.pinned}
      </h2>
      <ul>
        {pinned.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} selection={selection} />
          </li>
        ))}
      </ul>
    </section>
  );
}
