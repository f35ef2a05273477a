import { Square } from 'lucide-react';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/button.tsx';
import { commandKey, Kbd } from '../ui/kbd.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { Conversation } from './conversation/conversation.ts';
import { Elapsed } from './elapsed.tsx';
import { describeCall } from './rows/tool-words.ts';

interface StatusLineProps {
  conversation: Conversation;
  isStopping: boolean;
  onStop(): void;
}

/** What the agent does at this moment, in a few words. */
function useDoing(conversation: Conversation): string {
  const text = useText();
  const view = conversation.view();
  const step = conversation.plan.find(({ status }) => status === 'doing')?.title;
  for (let index = view.length - 1; index >= Math.max(0, view.length - 4); index -= 1) {
    const row = view.rowAt(index);
    if (row?.kind === 'draft') return text.task.writing;
    const call = row?.kind === 'work' ? row.calls.at(-1) : undefined;
    if (call?.state === 'running') return describeCall(call, text);
  }
  return step ?? text.task.working;
}

/** While the agent works: at what, for how long, and the button that stops it. */
export function StatusLine({ conversation, isStopping, onStop }: StatusLineProps) {
  const { task } = useText();
  const doing = useDoing(conversation);
  if (conversation.status !== 'running' || conversation.eventCount === 0) return null;
  return (
    <div className="flex min-w-0 items-center gap-2 px-1 text-sm text-soft">
      <Spinner className="size-3.5 text-accent" />
      <span className="min-w-0 truncate">{doing}</span>
      {conversation.turnFromMs !== null && (
        <span aria-hidden>
          <Elapsed fromMs={conversation.turnFromMs} />
        </span>
      )}
      <Button size="small" look="quiet" className="ml-auto" isBusy={isStopping} onClick={onStop}>
        <Square aria-hidden className="size-3.5" fill="currentColor" />
        {isStopping ? task.stopping : task.stop}
        <span aria-hidden className="hidden text-soft sm:inline pointer-coarse:hidden">
          <Kbd keys={[commandKey, '.']} />
        </span>
      </Button>
    </div>
  );
}
