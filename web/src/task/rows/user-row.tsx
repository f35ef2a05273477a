import { Mic } from 'lucide-react';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import type { UserRow } from '../conversation/row.ts';
import { Attachments } from './attachments.tsx';
import { ClampedText } from './clamped-text.tsx';
import type { RowContext } from './row-props.ts';

/** A message of the user. */
export function UserMessage({ row, context }: { row: UserRow; context: RowContext }) {
  const { task } = useText();
  const format = useFormat();
  return (
    <article
      aria-label={task.atTime(context.actions === null ? task.owner : task.you, format.dateTime(row.atMs))}
      className="flex flex-col items-end gap-2 pt-4"
    >
      <Attachments files={row.attachments} onOpen={context.openFile} className="max-w-[85%] justify-end" />
      {row.isVoice && (
        <span className="flex items-center gap-1.5 text-xs text-soft">
          <Mic aria-hidden className="size-3.5" />
          {task.voice}
        </span>
      )}
      {row.text.trim() !== '' && (
        <div
          title={format.dateTime(row.atMs)}
          className="max-w-[85%] rounded-lg rounded-br-sm border border-line bg-card px-4 py-2.5"
        >
          <ClampedText text={row.text} />
        </div>
      )}
    </article>
  );
}
