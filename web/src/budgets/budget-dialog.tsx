import type { Budget } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { useTargets } from './use-targets.ts';

const scopes = ['account', 'project', 'key', 'application', 'schedule'] as const satisfies readonly Budget['scope'][];
const periods = ['month', 'day'] as const satisfies readonly Budget['period'][];
const formId = 'budget';

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
  const [scope, setScope] = useState<Budget['scope']>(budget?.scope ?? 'account');
  const [chosen, setChosen] = useState(budget?.id ?? '');
  const [period, setPeriod] = useState<Budget['period']>(budget?.period ?? 'month');
  const [credits, setCredits] = useState(budget === null ? '' : String(budget.credits));
  const choices = targets[scope];
  const id = choices.some((one) => one.id === chosen) ? chosen : choices[0]?.id;
  const isReady = credits !== '' && (scope === 'account' || id !== undefined);
  const save = useAction(
    () => errand.budget.set({ scope, period, credits: Number(credits), ...(scope !== 'account' && id !== undefined && { id }) }),
    {
      changes: [keys.budgets],
      isQuiet: true,
      onDone: () => {
        showToast(budgets.saved);
        onClose();
      },
    },
  );
  const problems = sortProblem(save.error, ['credits', 'id'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const actions = (
    <DialogActions onCancel={onClose} label={ui.save} type="submit" form={formId} isBusy={save.isPending} disabled={!isReady} />
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={budget === null ? budgets.add : budgets.change}
      lead={budgets.dialogLead}
      actions={actions}
      guardsInput
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <Field label={budgets.scope}>
          {(control) => (
            <Select
              {...control}
              value={scope}
              disabled={budget !== null}
              options={scopes.map((value) => ({ value, label: budgets.scopes[value] }))}
              onValueChange={(value) => setScope(value)}
            />
          )}
        </Field>
        {scope !== 'account' && (
          <Field label={budgets.target} problem={problems.of('id') ?? (choices.length === 0 ? budgets.noTargets : null)}>
            {(control) => (
              <Select
                {...control}
                value={id ?? ''}
                disabled={budget !== null || choices.length === 0}
                options={choices.map((one) => ({ value: one.id, label: one.name }))}
                onValueChange={setChosen}
              />
            )}
          </Field>
        )}
        <Field label={budgets.period}>
          {(control) => (
            <Select
              {...control}
              value={period}
              disabled={budget !== null}
              options={periods.map((value) => ({ value, label: budgets.periods[value] }))}
              onValueChange={(value) => setPeriod(value)}
            />
          )}
        </Field>
        <TextField
          label={budgets.credits}
          problem={problems.of('credits')}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          required
          value={credits}
          onChange={(event) => setCredits(event.target.value)}
        />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
