import { Markdown } from '../../markdown/markdown.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { CopyButton } from '../../ui/feedback/copy-button.tsx';
import type { AgentRow, DraftRow, StoppedRow } from '../conversation/row.ts';
import { Attachments } from './attachments.tsx';
import type { RowContext } from './row-props.ts';

/** A message of the agent: an answer, or a comment during its work. */
export function AgentMessage({ row, context }: { row: AgentRow; context: RowContext }) {
  const { task } = useText();
  const format = useFormat();
  const label = task.atTime(task.agent, format.dateTime(row.atMs));
  if (row.isAside) {
    return (
      <article aria-label={label} className="pt-3 text-soft">
        <Markdown text={row.text} />
      </article>
    );
  }
  return (
    <article aria-label={label} className="group flex flex-col gap-3 pt-4">
      {row.text.trim() !== '' && <Markdown text={row.text} />}
      <Attachments files={row.attachments} onOpen={context.openFile} />
      <div className="-mt-2 -mb-1 -ml-2 flex h-7 items-center gap-1 text-xs text-soft opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:h-10 pointer-coarse:opacity-100">
        <CopyButton text={row.text} />
        <time dateTime={new Date(row.atMs).toISOString()} title={format.dateTime(row.atMs)}>
          {format.minute(row.atMs)}
        </time>
      </div>
    </article>
  );
}

/** A partial reply. */
export function DraftMessage({ row }: { row: DraftRow }) {
  const { task } = useText();
  return (
    <article aria-label={task.agent} aria-busy className="draft pt-4">
      {row.isCut && <p className="mb-2 text-sm text-soft">{task.replyCut}</p>}
      <Markdown text={row.isCut ? `… ${row.text.trimStart()}` : row.text} />
    </article>
  );
}

/** What was written of a reply that was stopped. */
export function StoppedMessage({ row }: { row: StoppedRow }) {
  const { task } = useText();
  return (
    <article aria-label={task.agent} className="pt-4">
      <Markdown text={row.text} />
      <p className="mt-2 text-sm text-soft">{task.replyStopped}</p>
    </article>
  );
}
