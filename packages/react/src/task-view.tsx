import { useId, useState } from 'react';
import type { TaskAccess } from './task-access.ts';
import { type TaskTexts, taskTexts } from './task-texts.ts';
import { useTask } from './use-task.ts';
import { type TaskStream, useTaskStream } from './use-task-stream.ts';

export interface TaskViewProps extends TaskAccess {
  /** Whether the token has the right `answer`: questions can be answered then. Default: true. */
  canAnswer?: boolean;
  /** Default: English; `taskTexts` has more. */
  texts?: TaskTexts;
  className?: string;
}

type TaskEvent = TaskStream['events'][number];

/** The service is another origin, whose links are only what a browser opens as a page or a file. */
function isSafe(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function Message({ event }: { event: TaskEvent }) {
  if (event.type === 'user_message')
    return <Said by="user" text={event.user_message.content} files={event.user_message.attachments} />;
  if (event.type === 'assistant_message')
    return <Said by="assistant" text={event.assistant_message.content} files={event.assistant_message.attachments} />;
  if (event.type === 'error_message') return <Said by="error" text={event.error_message.content} files={[]} />;
  return null;
}

interface SaidProps {
  by: 'user' | 'assistant' | 'error';
  text: string;
  files: readonly { filename: string; url: string }[];
}

/** Text as it is: nothing of what a model wrote becomes markup. */
function Said({ by, text, files }: SaidProps) {
  return (
    <li className={`errand-message errand-${by}`}>
      <p style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</p>
      {files.length > 0 && (
        <ul className="errand-files">
          {files.map(({ filename, url }) => (
            <li key={url}>
              {isSafe(url) ? (
                <a href={url} rel="noopener noreferrer" target="_blank">
                  {filename}
                </a>
              ) : (
                filename
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
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
  const { events, draft, status, question, error, isConnected } = useTaskStream(access);
  const { send } = useTask(access);
  const isAsked = status === 'waiting' && canAnswer;
  // The agent's question is also its last message, where it has sent one.
  const isRepeated = events.some((event) => event.type === 'assistant_message' && event.assistant_message.content === question);
  return (
    <section className={`errand-task errand-${status} ${className}`.trim()} aria-label={texts.conversation}>
      <ol className="errand-messages" role="log">
        {events.map((event) => (
          <Message key={event.id} event={event} />
        ))}
        {draft !== '' && <Said by="assistant" text={draft} files={[]} />}
        {question !== null && question !== '' && !isRepeated && <Said by="assistant" text={question} files={[]} />}
      </ol>
      <p className="errand-status" role="status">
        {error ? texts.unavailable : isConnected ? texts.status[status] : texts.reconnecting}
      </p>
      {isAsked && !error && <AnswerForm texts={texts} onSend={send} />}
    </section>
  );
}
