import { useText } from '../../text/locale.ts';
import type { Conversation, ConversationView } from '../conversation/conversation.ts';
import type { ToolCall } from '../conversation/row.ts';
import { CodeFrame } from '../rows/code-frame.tsx';
import { CallState } from '../rows/tool-call.tsx';
import { ToolIcon } from '../rows/tool-icon.tsx';
import { describeCall, languageOfInput } from '../rows/tool-words.ts';
import { Terminal } from './terminal.tsx';
import { showRunning, useEndedInput, useRunningCall } from './use-tool-call.ts';

/** Between two calls there may be a few messages. */
const searchedRows = 200;

/** The call that runs, or the last one. */
function newestCall(view: ConversationView): ToolCall | null {
  for (let index = view.length - 1; index >= Math.max(0, view.length - searchedRows); index -= 1) {
    const row = view.rowAt(index);
    if (row?.kind === 'work') return row.calls.at(-1) ?? null;
  }
  return null;
}

interface ActivityProps {
  /** The task, for its owner; null for others, who are shown what the events have. */
  inputsOf: string | null;
  conversation: Conversation;
  /** Whether this is the present, and not a moment of a replay. */
  isPresent: boolean;
}

/** The call that runs, or the last one, with its whole input where that is known. */
function useNewestCall({ inputsOf, conversation, isPresent }: ActivityProps): ToolCall | null {
  const newest = newestCall(conversation.view());
  const running = useRunningCall(isPresent ? inputsOf : null, conversation);
  const endedInput = useEndedInput(inputsOf, conversation, newest);
  if (newest?.state !== 'running') {
    if (running) return showRunning(running);
    return newest && { ...newest, param: endedInput ?? newest.param };
  }
  return running?.action_id === newest.actionId ? { ...newest, param: running.input } : newest;
}

/** What the agent does, or did last: the command, and its output as it grows. */
export function Activity(props: ActivityProps) {
  const { conversation } = props;
  const text = useText();
  const { workbench, task } = text;
  const view = conversation.view();
  const call = useNewestCall(props);
  // A conversation that nobody has begun counts as running.
  const isRunning = conversation.status === 'running' && view.length > 0;
  const title = isRunning ? workbench.activity : workbench.lastActivity;
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      {call === null ? (
        <p className="text-sm text-soft">{isRunning ? workbench.thinking : workbench.nothingYet}</p>
      ) : (
        <div className="overflow-hidden rounded-lg border border-line bg-card">
          <div className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm">
            <ToolIcon tool={call.tool} className="size-4 shrink-0 text-soft" />
            <h3 className="min-w-0 flex-1 truncate font-medium">{describeCall(call, text)}</h3>
            <CallState state={call.state} />
          </div>
          {call.param !== '' && (
            <CodeFrame
              label={workbench.input}
              code={call.param}
              language={languageOfInput(call.tool)}
              className="max-h-32 border-b border-line bg-paper text-xs whitespace-pre-wrap wrap-anywhere"
            />
          )}
          <Terminal
            key={call.key}
            label={task.output}
            output={call.output.trim() === '' ? (call.state === 'running' ? task.callRunning : task.noOutput) : call.output}
          />
        </div>
      )}
    </section>
  );
}
