import { useState } from 'react';
import { createBrowserChoice } from '../../ui/controls/browser-choice.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { useMedia } from '../use-media.ts';
import { useReplay } from '../replay/use-replay.ts';

const workbenchViews = ['now', 'steps', 'result', 'comments'] as const;
export type WorkbenchView = (typeof workbenchViews)[number];

/** Wide enough for a conversation and a workbench beside the sidebar. */
const wide = '(min-width: 80rem)';

const closed = createBrowserChoice(
  'errand.workbench',
  (stored) => stored === 'closed',
  (isClosed) => (isClosed ? 'closed' : null),
);

/** The view that was chosen for a task; it lasts as long as the tab. */
function useChosenView(taskId: string) {
  const key = `errand.workbench.${taskId}`;
  const [chosen, setChosen] = useState(() => workbenchViews.find((view) => view === readTab(key)) ?? null);
  const choose = (view: WorkbenchView) => {
    setChosen(view);
    try {
      sessionStorage.setItem(key, view);
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  };
  return [chosen, choose] as const;
}

function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** What is best looked at: the deliverables of a task that has ended with some, else what happens or happened. */
function chooseDefault({ status, files }: Conversation): WorkbenchView {
  const isOver = status === 'stopped' || status === 'error';
  return isOver && files.some(({ isFromAgent }) => isFromAgent) ? 'result' : 'now';
}

/** The workbench of a task: whether it is open, what it shows, and of which moment. */
export function useWorkbench(taskId: string, live: Conversation) {
  const isWide = useMedia(wide);
  const isClosed = closed.useValue();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [chosen, choose] = useChosenView(taskId);
  const [deliverable, chooseDeliverable] = useState<string | null>(null);
  const [traced, setTraced] = useState<string | null>(null);
  const { moment, shown, seek } = useReplay(live);
  const isOpen = isWide ? !isClosed : isSheetOpen;
  const setOpen = (isNowOpen: boolean) => (isWide ? closed.set(!isNowOpen) : setSheetOpen(isNowOpen));
  /** Opens the workbench with a view. */
  const showView = (view: WorkbenchView) => {
    choose(view);
    setOpen(true);
  };
  return {
    isWide,
    isOpen,
    toggle: () => setOpen(!isOpen),
    close: () => setOpen(false),
    /** The shown view: the chosen one, or the one that suits the state of the task. */
    view: chosen ?? (moment === null ? chooseDefault(live) : 'now'),
    choose,
    showView,
    /** The key of the chosen deliverable; null for the newest. */
    deliverable,
    /** Opens the workbench with a deliverable. */
    showDeliverable(key: string) {
      chooseDeliverable(key);
      showView('result');
    },
    live,
    moment,
    /** The conversation at that moment. */
    shown,
    /** Goes to the moment of a step, or back to the present; an open trace follows. */
    seek(key: string | null) {
      seek(key);
      if (key !== null && traced !== null) setTraced(key);
    },
    /** The step whose trace is open. */
    traced,
    /** Opens or closes the trace of a step; a replay follows. */
    trace(key: string | null) {
      setTraced(key);
      if (key !== null && moment !== null) seek(key);
    },
  };
}

export type Workbench = ReturnType<typeof useWorkbench>;
