import type { Task } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { draftOf, toLimit } from './limit-draft.ts';
import { LimitField } from './limit-field.tsx';

const formId = 'reply-budget';

/** Changes what each reply of a task may cost; a task that waits at its limit resumes with a higher one. */
export function ReplyBudgetDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const text = useText();
  const { budgets, ui } = text;
  const [limit, setLimit] = useState(() => draftOf(task.budget?.credits));
  const save = useAction(
    () =>
      errand.task.update({
        task_id: task.id,
        budget: { ...toLimit(limit), ...(task.budget && { on_limit: task.budget.on_limit }) },
      }),
    { changes: [keys.task(task.id), keys.inbox], isQuiet: true, onDone: onClose },
  );
  const problems = sortProblem(save.error, ['budget'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={ui.save}
      type="submit"
      form={formId}
      isBusy={save.isPending}
      disabled={limit.amount === ''}
    />
  );
  return (
    <Dialog isOpen onClose={onClose} title={budgets.ofReply} lead={budgets.ofReplyLead} actions={actions}>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4">
        <LimitField label={budgets.limit} problem={problems.of('budget')} value={limit} onChange={setLimit} />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
