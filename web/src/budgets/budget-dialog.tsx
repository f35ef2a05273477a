import type { Budget } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { draftOf, type LimitDraft, toLimit } from './limit-draft.ts';
import { LimitField } from './limit-field.tsx';
import { TargetFields } from './target-fields.tsx';
import { type Target, useTargets } from './use-targets.ts';

const scopes = ['account', 'project', 'key', 'application', 'schedule'] as const satisfies readonly Budget['scope'][];
const periods = ['month', 'day'] as const satisfies readonly Budget['period'][];
const formId = 'budget';

/** The form as filled in so far. */
interface Draft {
  scope: Budget['scope'];
  /** Id of what is limited; empty until chosen. */
  id: string;
  period: Budget['period'];
  limit: LimitDraft;
}

interface FieldsProps {
  draft: Draft;
  /** What can be chosen in this scope. */
  choices: readonly Target[];
  /** Only the limit of an existing budget changes. */
  isNew: boolean;
  problems: FormProblems;
  onChange(part: Partial<Draft>): void;
}

function Fields({ draft, choices, isNew, problems, onChange }: FieldsProps) {
  const { budgets } = useText();
  const { scope, id, period, limit } = draft;
  return (
    <>
      <TargetFields {...{ scopes, scope, id, choices, isNew }} problem={problems.of('id')} onChange={onChange} />
      <Field label={budgets.period}>
        {(control) => (
          <Select
            {...control}
            value={period}
            disabled={!isNew}
            options={periods.map((value) => ({ value, label: budgets.periods[value] }))}
            onValueChange={(value) => onChange({ period: value })}
          />
        )}
      </Field>
      <LimitField
        label={budgets.limit}
        problem={problems.of('credits') ?? problems.of('money')}
        value={limit}
        onChange={(value) => onChange({ limit: value })}
      />
    </>
  );
}

interface BudgetDialogProps {
  /** The one to change; null for a new one. */
  budget: Budget | null;
  onClose(): void;
}

/** Sets what something may cost in a period. */
export function BudgetDialog({ budget, onClose }: BudgetDialogProps) {
  const text = useText();
  const { budgets, ui } = text;
  const targets = useTargets();
  const [draft, setDraft] = useState<Draft>(() =>
    budget
      ? { ...budget, limit: draftOf(budget.credits) }
      : { scope: 'account', id: '', period: 'month', limit: draftOf(undefined) },
  );
  const { scope, period, limit } = draft;
  const id = draft.id || targets[scope][0]?.id || '';
  const save = useAction(() => errand.budget.set({ scope, period, ...toLimit(limit), ...(scope !== 'account' && { id }) }), {
    changes: [keys.budgets],
    isQuiet: true,
    onDone: () => {
      showToast(budgets.saved);
      onClose();
    },
  });
  const problems = sortProblem(save.error, ['credits', 'money', 'id'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const isReady = limit.amount !== '' && (scope === 'account' || id !== '');
  const actions = (
    <DialogActions onCancel={onClose} label={ui.save} type="submit" form={formId} isBusy={save.isPending} disabled={!isReady} />
  );
  const title = budget === null ? budgets.add : budgets.change;
  return (
    <Dialog isOpen onClose={onClose} title={title} lead={budgets.dialogLead} actions={actions} guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <Fields
          draft={{ ...draft, id }}
          choices={targets[scope]}
          isNew={budget === null}
          problems={problems}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
        />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
