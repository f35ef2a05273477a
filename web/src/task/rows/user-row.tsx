import { Mic, Pencil, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../../composer/use-draft.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { UserRow } from '../conversation/row.ts';
import { Attachments } from './attachments.tsx';
import { ClampedText } from './clamped-text.tsx';
import { CommentButton } from '../comments/comment-button.tsx';
import { MessageBar } from './message-bar.tsx';
import { MessageEditor } from './message-editor.tsx';
import type { Branching, RowContext } from './row-props.ts';

interface EditingProps {
  row: UserRow;
  branching: Branching;
  onEnd(): void;
}

function Editing({ row, branching, onEnd }: EditingProps) {
  const [text, setText] = useDraft(`edit.${row.key}`);
  const end = () => {
    setText('');
    onEnd();
  };
  return (
    <MessageEditor
      text={text}
      onChange={setText}
      isBusy={branching.isBusy}
      onSend={() => void branching.start(row.key, text.trim()).then((isStarted) => isStarted && end())}
      onCancel={end}
    />
  );
}

function Words({ text, time }: { text: string; time: string }) {
  return (
    <div title={time} className="max-w-[85%] rounded-lg rounded-br-sm border border-line bg-card px-4 py-2.5">
      <ClampedText text={text} />
    </div>
  );
}

/** What only its author can do with a message. */
function OwnButtons({ row, branching, onEdit }: { row: UserRow; branching: Branching; onEdit(): void }) {
  const { task } = useText();
  return (
    <>
      <IconButton label={task.branch.edit} icon={<Pencil aria-hidden className="size-4" />} onClick={onEdit} />
      <IconButton
        label={task.branch.again}
        icon={<RotateCw aria-hidden className="size-4" />}
        disabled={branching.isBusy}
        onClick={() => void branching.start(row.key)}
      />
    </>
  );
}

/** A message of the user. */
export function UserMessage({ row, context }: { row: UserRow; context: RowContext }) {
  const { task } = useText();
  const format = useFormat();
  const [draft, setDraft] = useDraft(`edit.${row.key}`);
  const [isEditing, setEditing] = useState(draft !== '');
  const branching = context.actions?.branching ?? null;
  const edit = () => {
    setDraft(row.text);
    setEditing(true);
  };
  const author = context.nameAuthor?.(row.authorId);
  return (
    <article
      aria-label={task.atTime(author ?? (context.actions?.isOwner === true ? task.you : task.owner), format.dateTime(row.atMs))}
      className="group flex flex-col items-end gap-2 pt-4"
    >
      {author !== undefined && <p className="-mb-1 max-w-[85%] truncate text-xs text-soft">{author}</p>}
      <Attachments files={row.attachments} onOpen={context.openFile} className="max-w-[85%] justify-end" />
      {row.isVoice && (
        <span className="flex items-center gap-1.5 text-xs text-soft">
          <Mic aria-hidden className="size-3.5" />
          {task.voice}
        </span>
      )}
      {branching && isEditing ? (
        <Editing row={row} branching={branching} onEnd={() => setEditing(false)} />
      ) : (
        row.text.trim() !== '' && <Words text={row.text} time={format.dateTime(row.atMs)} />
      )}
      {/* Also while it is not known who may do what, so that nothing jumps then. */}
      {!(branching && isEditing) && (
        <MessageBar text={row.text} atMs={row.atMs} className="-mt-1">
          {branching && <OwnButtons row={row} branching={branching} onEdit={edit} />}
          <CommentButton eventId={row.key} context={context} />
        </MessageBar>
      )}
    </article>
  );
}
