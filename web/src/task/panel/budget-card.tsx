import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Coins } from 'lucide-react';
import { useState } from 'react';
import { ReplyBudgetDialog } from '../../budgets/reply-budget-dialog.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { linkClasses } from '../../ui/display/link.tsx';
import type { QuestionRow } from '../conversation/row.ts';
import { taskQuery } from '../task-query.ts';
import type { RowContext } from '../rows/row-props.ts';

/** The budget of the replies is changed here; that of an account, project, or key in the inbox, which knows which one it was. */
function RaiseBudget({ taskId }: { taskId: string }) {
  const { budgets } = useText();
  const { data: task } = useQuery(taskQuery(taskId));
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      {task?.budget && (
        <Button size="small" onClick={() => setOpen(true)}>
          {budgets.change}
        </Button>
      )}
      <Link to="/inbox" className={linkClasses}>
        {budgets.raiseInInbox}
      </Link>
      {task && isOpen && <ReplyBudgetDialog task={task} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Why a task has paused at a budget, and while it has, the way to raise it. */
export function BudgetCard({ row, context: { actions } }: { row: QuestionRow; context: RowContext }) {
  const { budgets } = useText();
  return (
    <article
      className={joinClasses('mt-4 rounded-lg border px-4 py-3', row.isOpen ? 'border-accent bg-accent-soft' : 'border-line')}
    >
      <h2 className="mb-1 flex items-center gap-2 text-sm font-medium text-accent">
        <Coins aria-hidden className="size-4" />
        {budgets.usedUp}
      </h2>
      <Markdown text={row.text} />
      {row.isOpen && actions?.isOwner && <RaiseBudget taskId={actions.taskId} />}
    </article>
  );
}
