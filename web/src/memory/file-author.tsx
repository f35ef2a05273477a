import type { MemoryFile } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { linkClasses } from '../ui/display/link.tsx';

/** The author of a version: a task, with a link to it, or the user. */
export function FileAuthor({ file: { task_id: taskId } }: { file: Pick<MemoryFile, 'task_id'> }) {
  const { memory } = useText();
  if (taskId === undefined) return memory.byYou;
  return (
    <>
      {memory.byTask} ·{' '}
      <Link to="/app/$taskId" params={{ taskId }} className={linkClasses}>
        {memory.openTask}
      </Link>
    </>
  );
}
