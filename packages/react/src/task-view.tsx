import { useId, useState } from 'react';
import { Conversation } from './conversation.tsx';
import type { TaskAccess } from './task-access.ts';
import { type TaskTexts, taskTexts } from './task-texts.ts';
import { useTask } from './use-task.ts';
import { useTaskStream } from './use-task-stream.ts';

export interface TaskViewProps extends TaskAccess {
  /** Whether the token has the right `answer`: questions can be answered then. Default: true. */
  canAnswer?: boolean;
  /** Default: English; `taskTexts` has more. */
  texts?: TaskTexts;
  className?: string;
}

function AnswerForm({ texts, onSend }: { texts: TaskTexts; onSend(text: string): Promise<void> }) {
  const id = useId();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    setFailed(false);
    onSend(text)
      .then(
        () => setText(''),
        () => setFailed(true),
      )
      .finally(() => setBusy(false));
  };
  return (
    <form className="errand-answer" onSubmit={submit}>
      <label htmlFor={id}>{texts.answer}</label>
      <textarea id={id} rows={2} value={text} onChange={(event) => setText(event.target.value)} />
      {hasFailed && <p role="alert">{texts.notSent}</p>}
      <button type="submit" disabled={isBusy || text.trim() === ''}>
        {texts.send}
      </button>
    </form>
  );
}

/**
 * A task in a page: its conversation as it happens, its status, and a form while it waits for an answer. It has no style of its own; its
 * parts have classes that begin with `errand-`.
 */
export function TaskView({ canAnswer = true, texts = taskTexts.en, className = '', ...access }: TaskViewProps) {
  const stream = useTaskStream(access);
  const { status, error, isConnected } = stream;
  const { send } = useTask(access);
  const isAsked = status === 'waiting' && canAnswer;
  return (
    <section className={`errand-task errand-${status} ${className}`.trim()} aria-label={texts.conversation}>
      <Conversation {...stream} />
      <p className="errand-status" role="status">
        {error ? texts.unavailable : isConnected ? texts.status[status] : texts.reconnecting}
      </p>
      {isAsked && !error && <AnswerForm texts={texts} onSend={send} />}
    </section>
  );
}
