import type { Task } from '@errand/client';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { RowTarget } from '../use-row-target.ts';
import type { Workbench } from '../workbench/use-workbench.ts';
import { CommentsView } from './comments-view.tsx';
import { useComments } from './use-comments.ts';

const prefix = 'comment-';

interface TaskCommentsInput {
  taskId: string;
  /** Undefined until loaded. */
  task: Task | undefined;
  isOwner: boolean;
  bench: Workbench;
  target: RowTarget;
}

/** The comments on a task, as a tab of the workbench, and what begins one on a message. A URL that names a comment opens them. */
export function useTaskComments({ taskId, task, isOwner, bench, target }: TaskCommentsInput) {
  const { people } = useText();
  const format = useFormat();
  const [about, setAbout] = useState<string | null>(null);
  const named = useLocation({ select: ({ hash }) => (hash.startsWith(prefix) ? hash.slice(prefix.length) : null) });
  const isShown = bench.isOpen && bench.view === 'comments';
  const comments = useComments(taskId, { isShown, isShared: task?.share_visibility === 'team' });
  const show = useRef(bench.showView);
  useEffect(() => {
    show.current = bench.showView;
  });
  useEffect(() => {
    if (named !== null) show.current('comments');
  }, [named]);
  const comment = useCallback((eventId: string) => {
    setAbout(eventId);
    show.current('comments');
  }, []);
  const count = comments.items.length;
  const shownCount = `${format.number(count)}${comments.hasMore ? '+' : ''}`;
  const view = (
    <CommentsView
      {...{ taskId, comments, isOwner, about, named }}
      onAboutTask={() => setAbout(null)}
      onShowMessage={target.showMessage}
    />
  );
  return { comment, tab: { label: count === 0 ? people.comments : people.commentsCount(shownCount), view } };
}
