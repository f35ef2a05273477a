import { type KeyboardEvent, useId } from 'react';
import { isSendKey } from '../../composer/send-key.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';

interface MessageEditorProps {
  text: string;
  onChange(text: string): void;
  isBusy: boolean;
  onSend(): void;
  onCancel(): void;
}

/** Other words for a message that was sent: with them, a new task continues from there. */
export function MessageEditor({ text, onChange, isBusy, onSend, onCancel }: MessageEditorProps) {
  const { task, ui } = useText();
  const helpId = useId();
  const canSend = text.trim() !== '' && !isBusy;
  const onKeyDown = (event: KeyboardEvent) => {
    const isEscape = event.key === 'Escape' && !event.nativeEvent.isComposing;
    if (!isEscape && !isSendKey(event)) return;
    event.preventDefault();
    if (isEscape) onCancel();
    else if (canSend) onSend();
  };
  return (
    <div className="w-full rounded-lg border border-edge bg-card p-2 focus-within:border-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-focus">
      <TextArea
        isPlain
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the press that opened it asked to write here
        autoFocus
        aria-label={task.branch.editor}
        aria-describedby={helpId}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        className="px-2 pt-1.5 pb-2"
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p id={helpId} className="mr-auto px-2 text-sm text-soft">
          {task.branch.editorHelp}
        </p>
        <Button size="small" look="quiet" onClick={onCancel}>
          {ui.cancel}
        </Button>
        <Button size="small" look="primary" isBusy={isBusy} disabled={!canSend} onClick={onSend}>
          {task.branch.send}
        </Button>
      </div>
    </div>
  );
}
