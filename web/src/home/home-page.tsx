import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { AssignedTasks } from '../task-list/assigned-tasks.tsx';
import { readListSearch, type ListSearch } from '../task-list/task-filter.ts';
import { TaskList } from '../task-list/task-list.tsx';
import { useText } from '../text/locale.ts';
import { Page, usePageTitle } from '../ui/display/page.tsx';
import { ConnectModel } from './connect-model.tsx';
import { Examples } from './examples.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NewTask } from './new-task.tsx';

/** The page to start tasks, with the list of all tasks. */
export function HomePage() {
  const { home } = useText();
  const navigate = useNavigate();
  const address = useSearch({ strict: false });
  const search = useMemo(() => readListSearch(address), [address]);
  const change = useCallback(
    (next: ListSearch) => void navigate({ to: '/', search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  usePageTitle(home.title);
  const filter = <FilterBar search={search} onChange={change} />;
  return (
    <Page>
      <h1 tabIndex={-1} className="mb-5 text-2xl font-semibold tracking-tight sm:mt-6">
        {home.heading}
      </h1>
      <NewTask key={search.project ?? ''} projectId={search.project} />
      <ConnectModel />
      <div className="mt-10">
        {search.assigned ? (
          <AssignedTasks header={filter} />
        ) : (
          <TaskList search={search} header={filter} emptyState={<Examples />} />
        )}
      </div>
    </Page>
  );
}
