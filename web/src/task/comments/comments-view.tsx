import type { Comment } from '@errand/client';
import { MessagesSquare } from 'lucide-react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RemovalDialog } from '../../ui/dialogs/removal-dialog.tsx';
import { useRemoval } from '../../ui/dialogs/use-removal.ts';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/state.tsx';
import { CommentItem } from './comment-item.tsx';
import { NewComment } from './new-comment.tsx';
import type { Comments } from './use-comments.ts';

export interface CommentsViewProps {
  taskId: string;
  comments: Comments;
  /** Whether the task is of this person, who then may delete every comment. */
  isOwner: boolean;
  /** The message that a new comment is about; null for the whole task. */
  about: string | null;
  onAboutTask(): void;
  /** The comment that the URL names; null for none. */
  named: string | null;
  onShowMessage(eventId: string): void;
}

/** What people write to each other about a task: the earliest first, and a field below. */
export function CommentsView(props: CommentsViewProps) {
  const { taskId, comments, isOwner, about, onAboutTask, named, onShowMessage } = props;
  const { people, ui } = useText();
  const accountId = useSession().data?.account.id;
  const { items, error, isPending, hasMore, isFetchingMore, fetchMore, refetch } = comments;
  const removal = useRemoval(({ id }: Comment) => errand.task.deleteComment({ task_id: taskId, comment_id: id }), {
    changes: [keys.comments(taskId)],
    describeDone: () => people.removed,
  });
  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto px-3 py-3">
        <div className="mb-auto">
          {error && <ErrorState error={error} onRetry={refetch} />}
          {isPending && <SkeletonList rows={3} className="h-14" />}
          {!isPending && !error && items.length === 0 && (
            <EmptyState icon={<MessagesSquare aria-hidden />} title={people.none}>
              {people.noneBody}
            </EmptyState>
          )}
          {hasMore && (
            <div className="text-center">
              <Button size="small" isBusy={isFetchingMore} onClick={() => void fetchMore()}>
                {people.older}
              </Button>
            </div>
          )}
          <ul aria-label={people.comments}>
            {items.toReversed().map((comment) => (
              <CommentItem
                key={comment.id}
                comment={comment}
                isOwn={comment.user_id === accountId}
                mayDelete={isOwner || comment.user_id === accountId}
                isNamed={comment.id === named}
                onDelete={() => removal.ask(comment)}
                onShowMessage={onShowMessage}
              />
            ))}
          </ul>
        </div>
      </div>
      <div className="border-t border-line px-4 py-3">
        <NewComment key={about} taskId={taskId} about={about} onAboutTask={onAboutTask} />
        <p className="mt-2 text-xs text-soft">{people.lead}</p>
      </div>
      <RemovalDialog removal={removal} titleOf={() => people.removeTitle} confirmLabel={ui.delete}>
        {people.removeBody}
      </RemovalDialog>
    </>
  );
}
