import { X } from 'lucide-react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useDraft } from '../../composer/use-draft.ts';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { CommentField } from './comment-field.tsx';

interface NewCommentProps {
  taskId: string;
  /** The message that it is about; null for the whole task. */
  about: string | null;
  onAboutTask(): void;
}

/** Writes a comment on a task, or on one of its messages. */
export function NewComment({ taskId, about, onAboutTask }: NewCommentProps) {
  const { people } = useText();
  const [text, setText] = useDraft(`comment.${taskId}`);
  const write = useAction(() => errand.task.comment({ task_id: taskId, text, ...(about !== null && { event_id: about }) }), {
    changes: [keys.comments(taskId)],
    onDone() {
      setText('');
      onAboutTask();
    },
  });
  return (
    <CommentField
      taskId={taskId}
      label={people.write}
      sendLabel={people.send}
      {...{ text, setText }}
      isBusy={write.isPending}
      onSend={() => write.mutate(undefined)}
      takesFocus={about !== null}
    >
      {about !== null && (
        <p className="flex items-center justify-between rounded-md bg-hover pl-3 text-sm text-soft">
          {people.aboutThis}
          <IconButton label={people.aboutTask} icon={<X aria-hidden />} onClick={onAboutTask} />
        </p>
      )}
    </CommentField>
  );
}
