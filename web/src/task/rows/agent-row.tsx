import { GitBranch, RotateCw } from 'lucide-react';
import { Markdown } from '../../markdown/markdown.tsx';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { AgentRow, DraftRow, StoppedRow } from '../conversation/row.ts';
import { Attachments } from './attachments.tsx';
import { CommentButton } from '../comments/comment-button.tsx';
import { MessageBar } from './message-bar.tsx';
import { useRating } from './rating-buttons.tsx';
import type { Branching, RowContext } from './row-props.ts';

/** New tasks from an answer: one that asks for another answer, and one that continues from it. */
function BranchButtons({ row, branching }: { row: AgentRow; branching: Branching }) {
  const { branch } = useText().task;
  const { askedBy, key } = row;
  return (
    <>
      {askedBy !== null && (
        <IconButton
          label={branch.again}
          icon={<RotateCw aria-hidden className="size-4" />}
          disabled={branching.isBusy}
          onClick={() => void branching.start(askedBy)}
        />
      )}
      <IconButton
        label={branch.here}
        icon={<GitBranch aria-hidden className="size-4" />}
        disabled={branching.isBusy}
        onClick={() => void branching.start(key)}
      />
    </>
  );
}

/** A message of the agent: an answer, or a comment during its work. */
export function AgentMessage({ row, context }: { row: AgentRow; context: RowContext }) {
  const { task } = useText();
  const format = useFormat();
  const rating = useRating(row.key, context.ratings ?? null);
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
      <MessageBar text={row.text} atMs={row.atMs} className="-mt-2 -ml-2">
        {rating.buttons}
        {context.actions?.branching && <BranchButtons row={row} branching={context.actions.branching} />}
        <CommentButton eventId={row.key} context={context} />
      </MessageBar>
      {rating.form}
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
