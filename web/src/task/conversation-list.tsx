import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { Spinner } from '../ui/display/spinner.tsx';
import type { ConversationView } from './conversation/conversation.ts';
import { ConversationRow } from './rows/conversation-row.tsx';
import type { RowContext } from './rows/row-props.ts';
import { estimateHeight } from './rows/row-size.ts';
import { useMedia } from './use-media.ts';
import { usePinnedEnd } from './use-pinned-end.ts';

const rowsAhead = 6;
/** Padding above the first row and below the last. Pixels. */
const padding = 20;

export interface ConversationListProps {
  view: ConversationView;
  context: RowContext;
  history: 'loading' | 'complete' | 'broken';
  onRetryHistory(): void;
  /** The position of a row to scroll to, once. */
  target?: number | null;
  onReached?(): void;
}

function Pill({ children, className }: { children: ReactNode; className: string }) {
  return (
    <div className={joinClasses('pointer-events-none absolute inset-x-0 z-10 flex justify-center', className)}>{children}</div>
  );
}

const pillClasses =
  'appear pointer-events-auto inline-flex items-center gap-2 rounded-full bg-card px-3.5 py-1.5 text-sm shadow-float';

function HistoryPill({ history, onRetryHistory }: Pick<ConversationListProps, 'history' | 'onRetryHistory'>) {
  const { task, ui } = useText();
  if (history === 'complete') return null;
  return (
    <Pill className="top-2 print:hidden">
      {history === 'loading' ? (
        <span className={pillClasses}>
          <Spinner className="size-3.5" />
          {task.loadingOlder}
        </span>
      ) : (
        <span className={pillClasses}>
          {task.olderFailed}
          <button type="button" className="text-accent underline" onClick={onRetryHistory}>
            {ui.retry}
          </button>
        </span>
      )}
    </Pill>
  );
}

interface NewestPillProps {
  isPinned: boolean;
  /** The key of the last row. */
  newest: string | undefined;
  onPress(): void;
}

/** The button that jumps to the end, and whether there is something new. */
function NewestPill({ isPinned, newest, onPress }: NewestPillProps) {
  const { task } = useText();
  const [seen, setSeen] = useState(newest);
  if (isPinned && seen !== newest) setSeen(newest);
  if (isPinned) return null;
  return (
    <Pill className="bottom-3 print:hidden">
      <button type="button" className={joinClasses(pillClasses, 'hover:bg-hover')} onClick={onPress}>
        <ArrowDown aria-hidden className="size-4" />
        {seen === newest ? task.newest : task.newestUnread}
      </button>
    </Pill>
  );
}

interface RowsProps {
  virtualizer: Virtualizer<HTMLDivElement, Element>;
  view: ConversationView;
  context: RowContext;
}

/** Paper shows no more rows, the newest ones. */
const mostOnPaper = 2_000;

/** All rows one below another, for paper, which cannot scroll. */
function PaperRows({ view, context }: Pick<RowsProps, 'view' | 'context'>) {
  const first = Math.max(0, view.length - mostOnPaper);
  return Array.from({ length: view.length - first }, (_, index) => {
    const row = view.rowAt(first + index);
    return row === undefined ? null : <ConversationRow key={row.key} row={row} context={context} />;
  });
}

function Rows({ virtualizer, view, context }: RowsProps) {
  const isPrint = useMedia('print');
  if (isPrint) return <PaperRows view={view} context={context} />;
  return virtualizer.getVirtualItems().map(({ index, key, start }) => {
    const row = view.rowAt(index);
    return row === undefined ? null : (
      <div
        key={key}
        ref={virtualizer.measureElement}
        data-index={index}
        className="absolute top-0 left-0 w-full px-4 sm:px-6"
        style={{ transform: `translateY(${start}px)` }}
      >
        <ConversationRow row={row} context={context} isLast={index === view.length - 1} />
      </div>
    );
  });
}

/** Goes to a row once it is named. */
function useTarget(target: number | null, go: (row: number) => void): void {
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  useEffect(() => {
    if (target !== null) latest.current(target);
  }, [target]);
}

/**
 * The virtualized rows of a conversation, each measured when it is rendered. Stays at the end while the user is there. Screen readers read
 * it on demand: new messages are announced separately, once they are complete.
 */
export function ConversationList({ view, context, history, onRetryHistory, target = null, onReached }: ConversationListProps) {
  const { task } = useText();
  const scrollerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: view.length,
    estimateSize: (index) => estimateHeight(view.rowAt(index)),
    getScrollElement: () => scrollerRef.current,
    getItemKey: (index) => view.rowAt(index)?.key ?? index,
    overscan: rowsAhead,
    anchorTo: 'end',
    paddingStart: padding,
    paddingEnd: padding,
  });
  const { isPinned, pin, unpin } = usePinnedEnd(scrollerRef, contentRef, view.length > 0);
  // The browser would scroll through rows of unknown height, which are measured and moved on the way.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scrollerRef.current || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (event.key === 'End') return pin();
    unpin();
    virtualizer.scrollToIndex(0, { align: 'start' });
  };
  useTarget(target, (row) => {
    unpin();
    virtualizer.scrollToIndex(row, { align: 'center' });
    scrollerRef.current?.focus({ preventScroll: true });
    onReached?.();
  });
  const isAtTop = (virtualizer.range?.startIndex ?? 0) === 0;
  return (
    <div className="relative min-h-0 flex-1">
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- the keyboard has to reach what scrolls */}
      <div
        ref={scrollerRef}
        role="log"
        aria-live="off"
        aria-busy={history === 'loading'}
        onKeyDown={onKeyDown}
        aria-label={task.conversation}
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain -outline-offset-1 focus-visible:outline-1 print:h-auto print:overflow-visible"
      >
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={contentRef}
          className="relative mx-auto w-full max-w-3xl [overflow-anchor:none] print:h-auto!"
          style={{ height: virtualizer.getTotalSize() }}
        >
          <Rows virtualizer={virtualizer} view={view} context={context} />
        </div>
      </div>
      {isAtTop && <HistoryPill history={history} onRetryHistory={onRetryHistory} />}
      <NewestPill isPinned={isPinned} newest={view.rowAt(view.length - 1)?.key} onPress={pin} />
    </div>
  );
}
