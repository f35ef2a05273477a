import type { Task } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { taskShowQuery } from '../api/task-show-query.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { commandKey, Kbd } from '../ui/display/kbd.tsx';
import { joinClasses } from '../ui/display/class-names.ts';
import { Spinner } from '../ui/display/spinner.tsx';
import type { Conversation } from './conversation/conversation.ts';
import { Elapsed } from './elapsed.tsx';
import { describeCall } from './rows/tool-words.ts';

/** How long a worker may take to start before the delay is shown. */
const graceMs = 3_000;
const pollIntervalMs = 4_000;

/** Whether the newest message has no effect yet, because no worker has the task. */
function useIsQueued(taskId: string, conversation: Conversation): boolean {
  const view = conversation.view();
  const last = view.rowAt(view.length - 1);
  const silentSince = conversation.status === 'running' && last?.kind === 'user' ? last.key : null;
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (silentSince === null) return undefined;
    const timer = setTimeout(() => setAsked(silentSince), graceMs);
    return () => clearTimeout(timer);
  }, [silentSince]);
  const isAsked = silentSince !== null && asked === silentSince;
  const { data } = useQuery({ ...taskShowQuery(taskId), enabled: isAsked, staleTime: 0, refetchInterval: pollIntervalMs });
  return isAsked && data?.is_queued === true;
}

interface StatusLineProps {
  taskId: string;
  /** Of the reply; undefined for none. */
  budget: Task['budget'];
  conversation: Conversation;
  isStopping: boolean;
  /** Null if the user may not stop it. */
  onStop: (() => void) | null;
}

/** The agent's current activity, in a few words. */
function useDoing(conversation: Conversation): string {
  const text = useText();
  const format = useFormat();
  const view = conversation.view();
  const step = conversation.plan.find(({ status }) => status === 'doing')?.title;
  for (let index = view.length - 1; index >= Math.max(0, view.length - 4); index -= 1) {
    const row = view.rowAt(index);
    if (row?.kind === 'draft') return text.task.writing;
    const call = row?.kind === 'work' ? row.calls.at(-1) : undefined;
    if (call?.state === 'running') return describeCall(call, text);
  }
  const away = conversation.notices.modelWaiting;
  if (away) return text.task.modelWaiting(away.provider, format.dateTime(away.next_try_at * 1000));
  return step ?? text.task.working;
}

/** How much of a budget is used: of the one that was warned about, or of the reply's. */
function BudgetUse({ budget, warning }: { budget: Task['budget']; warning: Conversation['notices']['budgetWarning'] }) {
  const { budgets, task } = useText();
  const format = useFormat();
  const isOwn = warning === null || warning.scope === 'task';
  const shown = isOwn ? (budget ?? warning) : warning;
  if (!shown) return null;
  const use = task.budgetUsed(format.number(shown.used), format.number(shown.credits));
  return (
    <span className={joinClasses('order-last basis-full @xl:order-none @xl:basis-auto', warning && 'font-medium text-warn')}>
      {warning ? budgets.nearlyUsed(use) : `${budgets.short}: ${use}`}
    </span>
  );
}

function StopButton({ isStopping, onStop }: { isStopping: boolean; onStop(): void }) {
  const { task } = useText();
  return (
    <Button size="small" look="quiet" className="ml-auto" isBusy={isStopping} onClick={onStop}>
      <Square aria-hidden className="size-3.5" fill="currentColor" />
      {isStopping ? task.stopping : task.stop}
      <span aria-hidden className="hidden text-soft sm:inline pointer-coarse:hidden">
        <Kbd keys={[commandKey, '.']} />
      </span>
    </Button>
  );
}

/** While the agent works: its activity, a timer, and the stop button. */
export function StatusLine({ taskId, budget, conversation, isStopping, onStop }: StatusLineProps) {
  const { task } = useText();
  const doing = useDoing(conversation);
  const isQueued = useIsQueued(taskId, conversation);
  if (conversation.status !== 'running' || conversation.eventCount === 0) return null;
  return (
    <div className="@container text-sm text-soft">
      <div className="flex flex-wrap items-center gap-x-2 px-1 @xl:flex-nowrap">
        {/* Narrower than its words, so that these are cut off before the stop button leaves the line. */}
        <span className="flex min-w-0 flex-1 items-center gap-2 @xl:flex-initial">
          <Spinner className="size-3.5 text-accent" />
          <span className="min-w-0 truncate">{isQueued ? task.queued : doing}</span>
          {conversation.turnFromMs !== null && (
            <span aria-hidden>
              <Elapsed fromMs={conversation.turnFromMs} />
            </span>
          )}
        </span>
        <BudgetUse budget={budget} warning={conversation.notices.budgetWarning} />
        {onStop && <StopButton isStopping={isStopping} onStop={onStop} />}
      </div>
    </div>
  );
}
