import { Pencil } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRenameTask } from '../../api/task-actions.ts';
import { useText } from '../../text/locale.ts';
import { showError } from '../../ui/feedback/toast.tsx';

const longestTitle = 200;

interface TitleEditorProps {
  taskId: string;
  title: string;
  onClose(): void;
}

function TitleEditor({ taskId, title, onClose }: TitleEditorProps) {
  const { task } = useText();
  const [draft, setDraft] = useState(title);
  const isOver = useRef(false);
  const rename = useRenameTask();
  const close = (isKept: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const chosen = draft.trim();
    if (isKept && chosen !== '' && chosen !== title) rename.mutate({ taskId, title: chosen }, { onError: showError });
    onClose();
  };
  return (
    <input
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the title that was chosen to be changed
      autoFocus
      aria-label={task.renameLabel}
      value={draft}
      maxLength={longestTitle}
      className="w-full min-w-0 rounded-sm border border-edge bg-card px-2 py-0.5 text-base font-semibold"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') close(true);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close(false);
      }}
    />
  );
}

export interface TaskTitleProps {
  taskId: string;
  title: string | undefined;
  isEditing: boolean;
  /** Null if read-only. */
  setEditing: ((isEditing: boolean) => void) | null;
}

/** The title; for its owner, a button that turns it into a field. */
export function TaskTitle({ taskId, title, isEditing, setEditing }: TaskTitleProps) {
  const { task } = useText();
  const button = useRef<HTMLButtonElement>(null);
  if (setEditing === null) {
    return (
      <h1 tabIndex={-1} dir="auto" title={title} className="min-w-0 truncate px-2 py-0.5 text-base font-semibold">
        {title === undefined ? '' : title || task.untitled}
      </h1>
    );
  }
  if (isEditing && title !== undefined) {
    const close = () => {
      setEditing(false);
      requestAnimationFrame(() => button.current?.focus());
    };
    return <TitleEditor taskId={taskId} title={title} onClose={close} />;
  }
  return (
    <h1 tabIndex={-1} className="min-w-0 text-base font-semibold">
      <button
        ref={button}
        type="button"
        title={title}
        className="group flex max-w-full min-w-0 items-center gap-2 rounded-sm px-2 py-0.5 text-left hover:bg-hover"
        onClick={() => setEditing(true)}
      >
        <span dir="auto" className="truncate">
          {title === undefined ? '' : title || task.untitled}
        </span>
        <Pencil
          aria-hidden
          className="size-3.5 shrink-0 text-soft opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
        />
        <span className="sr-only">{task.rename}</span>
      </button>
    </h1>
  );
}
