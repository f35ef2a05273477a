import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { Button, buttonClasses } from '../ui/controls/button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import type { FeedState } from './feed/task-feed.ts';

/** Replaces a task that cannot be shown: it is deleted, or access is denied. */
export function TaskProblem({ state }: { state: FeedState }) {
  const { task, ui } = useText();
  const isFailed = state.kind === 'failed';
  return (
    <Page>
      <PageHeader title={isFailed ? task.failedTitle : task.goneTitle} lead={isFailed ? state.problem : task.goneBody} />
      <div className="flex flex-wrap gap-2">
        <Link to="/" className={buttonClasses('primary')}>
          {task.toTasks}
        </Link>
        {isFailed && <Button onClick={() => window.location.reload()}>{ui.retry}</Button>}
      </div>
    </Page>
  );
}
