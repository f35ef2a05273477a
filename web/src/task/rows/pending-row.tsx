import { CircleAlert, Paperclip } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Spinner } from '../../ui/display/spinner.tsx';
import type { PendingRow } from '../conversation/row.ts';
import { ClampedText } from './clamped-text.tsx';
import type { RowContext } from './row-props.ts';

function Delivery({ row, context }: { row: PendingRow; context: RowContext }) {
  const { task } = useText();
  if (row.delivery !== 'failed') {
    return (
      <p className="flex items-center gap-1.5 text-xs text-soft">
        <Spinner className="size-3" />
        {task[row.delivery]}
      </p>
    );
  }
  return (
    <div className="flex max-w-[85%] flex-wrap items-center justify-end gap-2 text-sm text-bad">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {task.sendFailed}
        {row.problem !== null && `: ${row.problem}`}
      </span>
      <Button size="small" onClick={() => context.actions?.sendAgain(row.key)}>
        {task.sendAgain}
      </Button>
      <Button size="small" look="quiet" onClick={() => context.actions?.discard(row.key)}>
        {task.discard}
      </Button>
    </div>
  );
}

/** A message being sent. */
export function PendingMessage({ row, context }: { row: PendingRow; context: RowContext }) {
  const { task } = useText();
  return (
    <article aria-label={task.you} className="flex flex-col items-end gap-1.5 pt-4">
      {row.filenames.map((filename) => (
        <span key={filename} className="flex max-w-[85%] items-center gap-1.5 text-sm text-soft">
          <Paperclip aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">{filename}</span>
        </span>
      ))}
      {row.text.trim() !== '' && (
        <div className="max-w-[85%] rounded-lg rounded-br-sm border border-dashed border-line bg-card px-4 py-2.5 text-soft">
          <ClampedText text={row.text} />
        </div>
      )}
      <Delivery row={row} context={context} />
    </article>
  );
}
