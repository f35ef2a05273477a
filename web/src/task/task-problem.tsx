import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/button.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import type { FeedState } from './feed/task-feed.ts';

/** In place of a task that cannot be shown: it is gone, or the service refuses it. */
export function TaskProblem({ state }: { state: FeedState }) {
  const { task } = useText();
  const isFailed = state.kind === 'failed';
  return (
    <Page>
      <PageHeader title={isFailed ? task.failedTitle : task.goneTitle} lead={isFailed ? state.problem : task.goneBody} />
      <Link to="/" className={buttonClasses('primary')}>
        {task.toTasks}
      </Link>
    </Page>
  );
}
