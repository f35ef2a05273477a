import type { TaskLog } from './task-log.ts';

type TaskEvent = TaskLog['events'][number];

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

/** What was said, and below it what is being said. */
export function Conversation({ events, draft, question }: Pick<TaskLog, 'events' | 'draft' | 'question'>) {
  // The agent's question is also its last message, where it has sent one.
  const isRepeated = events.some((event) => event.type === 'assistant_message' && event.assistant_message.content === question);
  return (
    <>
      <div role="log">
        <ol className="errand-messages">
          {events.map((event) => (
            <Message key={event.id} event={event} />
          ))}
          {question !== null && question !== '' && !isRepeated && <Said by="assistant" text={question} files={[]} />}
        </ol>
      </div>
      {/* Outside the log: a screen reader would read every piece of it, and then the whole message. */}
      {draft !== '' && (
        <ol className="errand-messages errand-draft">
          <Said by="assistant" text={draft} files={[]} />
        </ol>
      )}
    </>
  );
}
