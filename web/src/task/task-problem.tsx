import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { Button, buttonClasses } from '../ui/controls/button.tsx';
import { MissingPage } from '../ui/feedback/missing-page.tsx';
import type { FeedState } from './feed/task-feed.ts';

/** Replaces a task that cannot be shown: it is deleted, or access is denied. */
export function TaskProblem({ state }: { state: FeedState }) {
  const { task, ui } = useText();
  const isFailed = state.kind === 'failed';
  return (
    <MissingPage title={isFailed ? task.failedTitle : task.goneTitle} lead={isFailed ? state.problem : task.goneBody}>
      <Link to="/" className={buttonClasses('primary')}>
        {task.toTasks}
      </Link>
      {isFailed && <Button onClick={() => window.location.reload()}>{ui.retry}</Button>}
    </MissingPage>
  );
}
