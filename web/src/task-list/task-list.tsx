import { lazy, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import type { TaskFilter } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import type { ListedTask } from '../api/task-cache.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { WindowList } from '../ui/display/window-list.tsx';
import { useNow } from '../ui/display/time.tsx';
import { DateHeading } from './date-heading.tsx';
import { findGroupStarts } from './date-group.ts';
import { PinnedTasks } from './pinned-tasks.tsx';
import { type ListSearch, toTaskFilter } from './task-filter.ts';
import { TaskRow } from './task-row.tsx';
import { useAssignedTasks } from './use-assigned-tasks.ts';
import { useSelection } from './use-selection.ts';
import { useTaskList } from './use-task-list.ts';

const SelectionBar = lazy(async () => ({ default: (await import('./selection-bar.tsx')).SelectionBar }));

const rowHeight = 66;

export interface TaskListProps {
  search: ListSearch;
  /** The common filter of all tasks, such as an agent. */
  within?: TaskFilter;
  /** Content above the list, such as a filter bar. */
  header: ReactNode;
  /** Shown when there is no task at all. */
  emptyState: ReactNode;
}

/** For each task, the group that starts with it; null within a group. */
function useGroupStarts(tasks: readonly ListedTask[]) {
  const now = useNow();
  return useMemo(() => {
    const times = tasks.map(({ created_at: at }) => at * 1000);
    return findGroupStarts(times, now);
  }, [tasks, now]);
}

function Loading() {
  return (
    <div className="mt-3 border-t border-line pt-3">
      <SkeletonList rows={6} className="h-13.5" />
    </div>
  );
}

/** The tasks to show: pinned tasks stand above a list without a filter. */
function chooseShown(items: readonly ListedTask[], { status }: ListSearch, isPlain: boolean): ListedTask[] {
  return items.filter((task) => (status === undefined || task.status === status) && !(isPlain && task.is_pinned === true));
}

/** A list without tasks; those in the archive, and those that are handed over, stay within reach. */
function NoTasks({ header, emptyState }: Pick<TaskListProps, 'header' | 'emptyState'>) {
  const { items } = useTaskList({ is_archived: true });
  const assigned = useAssignedTasks((useSession().data?.teams.length ?? 0) > 0);
  return (
    <>
      {items.length + assigned.items.length > 0 && <div className="mb-6">{header}</div>}
      {emptyState}
    </>
  );
}

/** Tasks, newest first, updated live, loaded on demand. */
export function TaskList({ search, within, header, emptyState }: TaskListProps) {
  const { taskList } = useText();
  const filter = useMemo(() => ({ ...within, ...toTaskFilter(search) }), [within, search]);
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = useTaskList(filter);
  const choosing = useSelection();
  const isPlain = within === undefined && Object.keys(search).length === 0;
  const shown = useMemo(() => chooseShown(items, search, isPlain), [items, search, isPlain]);
  const starts = useGroupStarts(shown);
  const onEnd = useCallback(() => {
    if (hasMore && !isFetchingMore) void fetchMore();
  }, [hasMore, isFetchingMore, fetchMore]);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  // The header keeps its place, so that what is being typed there stays.
  if (isPending) {
    return (
      <>
        {header}
        <Loading />
      </>
    );
  }
  if (items.length === 0 && Object.keys(search).length === 0) return <NoTasks header={header} emptyState={emptyState} />;
  return (
    <>
      {header}
      {choosing.ids && (
        <Suspense>
          <SelectionBar ids={choosing.ids} isArchive={search.archived === true} onEnd={choosing.end} />
        </Suspense>
      )}
      <div className="mt-3 border-t border-line" />
      {isPlain && <PinnedTasks selection={choosing} />}
      <WindowList
        label={taskList.label}
        items={shown}
        keyOf={(task) => task.id}
        rowHeight={rowHeight}
        onEnd={onEnd}
        renderRow={(task, index) => (
          <>
            {starts[index] && <DateHeading group={starts[index]} />}
            <TaskRow task={task} selection={within ? null : choosing} />
          </>
        )}
      />
      <div role="status" className="py-4 text-center text-sm text-soft">
        {items.length === 0 && (search.archived ? taskList.noneArchived : taskList.noneFound)}
      </div>
      {hasMore && (
        <div className="text-center">
          <Button size="small" isBusy={isFetchingMore} onClick={onEnd}>
            {taskList.older}
          </Button>
        </div>
      )}
    </>
  );
}
