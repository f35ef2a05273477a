import type { Comment } from '@errand/client';
import { MessageSquareQuote, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Avatar } from '../../ui/display/avatar.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { Time } from '../../ui/display/time.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { CommentField } from './comment-field.tsx';
import { splitMentions } from './mention.ts';

/** The words of a comment, which are never markup; mentions are marked. */
function Words({ text }: { text: string }) {
  return (
    <p className="text-sm whitespace-pre-wrap wrap-anywhere">
      {splitMentions(text).map((part) => (
        <span key={part.at} className={part.isMention ? 'font-medium text-accent' : undefined}>
          {part.text}
        </span>
      ))}
    </p>
  );
}

function Editing({ comment, onEnd }: { comment: Comment; onEnd(): void }) {
  const { people, ui } = useText();
  const [text, setText] = useState(comment.text);
  const { id: commentId, task_id: taskId } = comment;
  const change = useAction(() => errand.task.updateComment({ task_id: taskId, comment_id: commentId, text }), {
    changes: [keys.comments(taskId)],
    onDone: onEnd,
  });
  const send = () => (text.trim() === comment.text ? onEnd() : change.mutate(undefined));
  return (
    <CommentField
      taskId={taskId}
      label={people.edit}
      sendLabel={ui.save}
      {...{ text, setText }}
      isBusy={change.isPending}
      onSend={send}
      onCancel={onEnd}
      takesFocus
    />
  );
}

export interface CommentItemProps {
  comment: Comment;
  /** Whether this person wrote it. */
  isOwn: boolean;
  /** Whether this person may delete it. */
  mayDelete: boolean;
  /** Whether the URL names it. */
  isNamed: boolean;
  onDelete(): void;
  /** Shows the message that it is about. */
  onShowMessage(eventId: string): void;
}

/** A comment with its author. */
export function CommentItem({ comment, isOwn, mayDelete, isNamed, onDelete, onShowMessage }: CommentItemProps) {
  const { people } = useText();
  const [isEditing, setEditing] = useState(false);
  const author = comment.email ?? people.formerMember;
  const about = comment.event_id;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNamed) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  return (
    <li ref={item} className={joinClasses('group flex gap-3 rounded-md px-2 py-2', isNamed && 'bg-accent-soft')}>
      <Avatar name={author} className="mt-0.5 size-7" />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 flex-wrap items-center gap-x-2 text-sm">
          <span className="min-w-0 font-medium wrap-anywhere">{isOwn ? people.you : author}</span>
          <Time ms={comment.created_at * 1000} className="text-xs whitespace-nowrap text-soft" />
          {comment.edited_at !== undefined && <span className="text-xs text-soft">{people.edited}</span>}
          {!isEditing && (
            <span className="ml-auto flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
              {isOwn && <IconButton label={people.edit} icon={<Pencil aria-hidden />} onClick={() => setEditing(true)} />}
              {mayDelete && <IconButton label={people.remove} icon={<Trash2 aria-hidden />} onClick={onDelete} />}
            </span>
          )}
        </div>
        {about !== undefined && (
          <Button size="small" look="quiet" className="-ml-2.5 text-soft" onClick={() => onShowMessage(about)}>
            <MessageSquareQuote aria-hidden className="size-4" />
            {people.onMessage}
          </Button>
        )}
        {isEditing ? <Editing comment={comment} onEnd={() => setEditing(false)} /> : <Words text={comment.text} />}
      </div>
    </li>
  );
}
