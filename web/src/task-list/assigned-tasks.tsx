import type { ReactNode } from 'react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { TaskRow } from './task-row.tsx';
import { useAssignedTasks } from './use-assigned-tasks.ts';

/** The tasks that teammates have handed over, newest first. `header`: content above the list, such as a filter bar. */
export function AssignedTasks({ header }: { header: ReactNode }) {
  const { taskList } = useText();
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = useAssignedTasks(true);
  return (
    <>
      {header}
      <div className="mt-3 border-t border-line" />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {isPending && <SkeletonList rows={3} className="h-13.5" />}
      <ul aria-label={taskList.assignedToYou}>
        {items.map((task) => (
          <li key={task.id}>
            <TaskRow task={task} isOwn={false} />
          </li>
        ))}
      </ul>
      <div role="status" className="py-4 text-center text-sm text-soft">
        {!isPending && !error && items.length === 0 && taskList.noneAssigned}
      </div>
      {hasMore && (
        <div className="text-center">
          <Button size="small" isBusy={isFetchingMore} onClick={() => void fetchMore()}>
            {taskList.older}
          </Button>
        </div>
      )}
    </>
  );
}
