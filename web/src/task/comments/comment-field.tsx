import { type ReactNode, useEffect, useId, useRef } from 'react';
import { isSendKey } from '../../composer/send-key.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { MentionList, nameOption } from './mention-list.tsx';
import { useMentions } from './use-mentions.ts';

const longest = 4_000;

export interface CommentFieldProps {
  taskId: string;
  label: string;
  sendLabel: string;
  text: string;
  setText(text: string): void;
  isBusy: boolean;
  onSend(): void;
  /** Absent where there is nothing to cancel. */
  onCancel?: () => void;
  /** Whether the focus goes here at once. */
  takesFocus: boolean;
  /** Content above the text. */
  children?: ReactNode;
}

/** Where a comment is written or changed: Enter sends it, an at sign offers the members of the team. */
export function CommentField(props: CommentFieldProps) {
  const { taskId, label, sendLabel, text, setText, isBusy, onSend, onCancel, takesFocus, children } = props;
  const { people, ui } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const mentions = useMentions({ taskId, text, setText, field });
  const canSend = text.trim() !== '' && !isBusy;
  const isOffering = mentions.emails.length > 0;
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <div className="relative flex flex-col gap-2">
      {children}
      {isOffering && <MentionList id={listId} emails={mentions.emails} active={mentions.active} onChoose={mentions.choose} />}
      <TextArea
        ref={field}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOffering ? listId : undefined}
        aria-activedescendant={isOffering ? nameOption(listId, mentions.active) : undefined}
        placeholder={people.placeholder}
        maxLength={longest}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          mentions.look();
        }}
        onBlur={mentions.end}
        onKeyDown={(event) => {
          if (mentions.takeKey(event)) {
            event.preventDefault();
            event.stopPropagation();
          } else if (event.key === 'Escape' && onCancel) {
            event.stopPropagation();
            onCancel();
          } else if (isSendKey(event)) {
            event.preventDefault();
            if (canSend) onSend();
          }
        }}
      />
      <div className="flex justify-end gap-2">
        {onCancel && (
          <Button size="small" onClick={onCancel}>
            {ui.cancel}
          </Button>
        )}
        <Button size="small" look="primary" disabled={!canSend} isBusy={isBusy} onClick={onSend}>
          {sendLabel}
        </Button>
      </div>
    </div>
  );
}
