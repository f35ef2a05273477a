import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, CircleDashed, RotateCw, Square } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { Button, buttonClasses } from '../../ui/controls/button.tsx';
import type { EndRow, ErrorRow } from '../conversation/row.ts';

/** Says that nobody has worked on the message, because no language model is connected. */
function UnansweredMark({ isOwn }: { isOwn: boolean }) {
  const { app, task } = useText();
  const instance = useSession().data?.instance;
  return (
    <div className="flex flex-wrap items-center gap-3 pt-3 text-sm text-soft">
      <span className="inline-flex items-center gap-1.5">
        <CircleDashed aria-hidden className="size-4" />
        {task.unanswered}
      </span>
      {isOwn && instance?.is_owner === true && !instance.has_model && (
        <Link to="/instance/models" className={buttonClasses('primary', 'small')}>
          {app.modelNotice.connect}
        </Link>
      )}
    </div>
  );
}

/** The end of a turn: a thin line with its duration. */
export function EndMark({ row, isOwn }: { row: EndRow; isOwn: boolean }) {
  const { task } = useText();
  const format = useFormat();
  if (row.by === 'nobody') return <UnansweredMark isOwn={isOwn} />;
  const isStopped = row.by === 'user';
  const Icon = isStopped ? Square : Check;
  const took =
    row.fromMs === null || row.atMs - row.fromMs < 1_000 ? task.done : task.doneIn(format.duration(row.atMs - row.fromMs));
  return (
    <p className="flex items-center gap-3 pt-2 text-xs text-soft" title={format.dateTime(row.atMs)}>
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden className="size-3.5" />
        {isStopped ? task.stoppedByYou : took}
      </span>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}

/** Why the task ended early, and, while nothing followed, how to continue. */
export function ErrorCard({ row, onAgain }: { row: ErrorRow; onAgain: (() => void) | null }) {
  const { task } = useText();
  return (
    <article className="mt-4 flex gap-3 rounded-lg border border-line bg-bad-soft px-4 py-3">
      <CircleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0 text-bad" />
      <div className="min-w-0">
        <h2 className="font-medium text-bad">{task.errorTitle}</h2>
        <p className="mt-0.5 wrap-anywhere">{row.text}</p>
        {onAgain && (
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Button size="small" onClick={onAgain}>
              <RotateCw aria-hidden className="size-4" />
              {task.tryAgain}
            </Button>
            <p className="text-sm text-soft">{task.errorHelp}</p>
          </div>
        )}
      </div>
    </article>
  );
}
