import { ArrowUp, Paperclip } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Kbd } from '../ui/display/kbd.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { DictationButton } from './dictation-button.tsx';
import type { OutgoingMessage } from './outgoing-message.ts';
import { isSendKey } from './send-key.ts';
import { UploadList } from './upload-list.tsx';
import { useDraft } from './use-draft.ts';
import { useFileDrop } from './use-file-drop.ts';
import { useUploads } from './use-uploads.ts';

export interface ComposerProps {
  /** Accessible name of the field. */
  label: string;
  placeholder: string;
  /** The label of the button; `Send` by default. */
  sendLabel?: string;
  /** Key of the draft: the id of a task, or `new`. */
  draftKey: string;
  /** The composer is cleared when this resolves; on failure the error is shown and everything stays. */
  onSend(message: OutgoingMessage): Promise<unknown>;
  isDisabled?: boolean;
  /** Whether files can be sent with it; by default they can. */
  takesFiles?: boolean;
  /** Why it cannot be sent, such as an invalid schema. */
  problem?: string | null;
  /** Whether the content below the text already explains that. */
  isProblemBelow?: boolean;
  /** More controls, to the left of the button. */
  tools?: ReactNode;
  /** Next to the send button, such as a stop button. */
  actions?: ReactNode;
  /** Content below the text and above the buttons. */
  children?: ReactNode;
  minRows?: number;
  ref?: Ref<HTMLTextAreaElement> | undefined;
}

/** Sends the composer's content, once. */
function useSending({ draftKey, onSend, takesFiles = true }: Pick<ComposerProps, 'draftKey' | 'onSend' | 'takesFiles'>) {
  const [text, setText] = useDraft(draftKey);
  const [isSending, setSending] = useState(false);
  const files = useUploads();
  const ready = files.uploads.flatMap(({ fileId, filename }) => (fileId === undefined ? [] : [{ fileId, filename }]));
  const isComplete = ready.length === files.uploads.length && (text.trim() !== '' || ready.length > 0);
  const send = async () => {
    setSending(true);
    try {
      await onSend({ content: text.trim(), attachments: ready });
      setText('');
      files.clear();
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  };
  const addFiles = takesFiles ? files.add : () => undefined;
  return { text, setText, files, addFiles, isComplete, isSending, send };
}

function FilePicker({ onFiles, disabled }: { onFiles(files: FileList): void; disabled: boolean }) {
  const { composer } = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          if (event.target.files) onFiles(event.target.files);
          event.target.value = '';
        }}
      />
      <IconButton
        label={composer.attach}
        icon={<Paperclip aria-hidden />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}

interface ComposerBarProps extends Pick<ComposerProps, 'sendLabel' | 'isDisabled' | 'takesFiles' | 'tools' | 'actions'> {
  text: string;
  setText(text: string): void;
  canSend: boolean;
  isSending: boolean;
  onFiles(files: FileList): void;
  onPress(): void;
}

function ComposerBar(props: ComposerBarProps) {
  const { sendLabel, isDisabled = false, takesFiles = true, tools, actions, canSend, isSending, onFiles, onPress } = props;
  const { composer } = useText();
  return (
    <div className="flex items-end justify-between gap-2 px-2 pb-2">
      <div className="flex min-w-0 flex-wrap items-center gap-0.5">
        {takesFiles && <FilePicker onFiles={onFiles} disabled={isDisabled} />}
        <DictationButton text={props.text} setText={props.setText} isDisabled={isDisabled || isSending} />
        {tools}
      </div>
      <div className="flex items-center gap-2">
        {actions}
        <IconButton
          look="primary"
          label={sendLabel ?? composer.send}
          hint={<Kbd keys={['↵']} />}
          icon={<ArrowUp aria-hidden />}
          disabled={!canSend}
          aria-busy={isSending || undefined}
          onClick={onPress}
        />
      </div>
    </div>
  );
}

/** The message editor: a growing text field, files by picker, paste and drop, Enter to send. */
export function Composer(props: ComposerProps) {
  const { label, placeholder, isDisabled = false, problem, isProblemBelow = false, children, minRows = 1, ref } = props;
  const { composer } = useText();
  const { text, setText, files, addFiles, isComplete, isSending, send } = useSending(props);
  const { isOver, handlers } = useFileDrop(addFiles);
  const hasProblem = typeof problem === 'string' && problem !== '';
  const isProblemShown = hasProblem && !isProblemBelow;
  const canSend = isComplete && !isDisabled && !isSending && !hasProblem;
  const problemId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    if (canSend) void send();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    addFiles(event.clipboardData.files);
  };
  return (
    <div
      {...handlers}
      className={joinClasses(
        'relative rounded-lg border bg-card transition-colors focus-within:border-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-focus',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge',
      )}
    >
      <TextArea
        ref={ref}
        isPlain
        aria-label={label}
        aria-describedby={isProblemShown ? problemId : undefined}
        placeholder={isOver ? composer.drop : placeholder}
        style={{ minHeight: `${minRows + 1.5}lh` }}
        value={text}
        disabled={isDisabled}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        className="px-4 pt-3.5 pb-2"
      />
      <UploadList uploads={files.uploads} onRemove={files.remove} />
      {children}
      {isProblemShown && (
        <p id={problemId} role="alert" className="px-4 pb-2 text-sm text-bad">
          {problem}
        </p>
      )}
      <ComposerBar
        {...props}
        {...{ text, setText }}
        canSend={canSend}
        isSending={isSending}
        onFiles={addFiles}
        onPress={() => void send()}
      />
    </div>
  );
}
