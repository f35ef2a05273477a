import type { RunningLimit } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { TargetFields } from './target-fields.tsx';
import { useTargets } from './use-targets.ts';

const scopes = ['account', 'project', 'key', 'external_user'] as const satisfies readonly RunningLimit['scope'][];
const formId = 'running-limit';

interface LimitDialogProps {
  /** The one to change; null for a new one. */
  limit: RunningLimit | null;
  onClose(): void;
}

/** Sets how many tasks of something run at once. */
export function LimitDialog({ limit, onClose }: LimitDialogProps) {
  const text = useText();
  const { limits, ui } = text;
  const targets = useTargets();
  const [target, setTarget] = useState<{ scope: RunningLimit['scope']; id: string }>(() => ({
    scope: limit?.scope ?? 'account',
    id: limit?.id ?? '',
  }));
  const [tasks, setTasks] = useState(String(limit?.running_tasks ?? ''));
  const { scope } = target;
  // Programs set those of single people.
  const choices = scope === 'external_user' ? (target.id ? [{ id: target.id, name: target.id }] : null) : targets[scope];
  const id = target.id || choices?.[0]?.id || '';
  const save = useAction(() => errand.limit.set({ scope, running_tasks: Number(tasks), ...(id !== '' && { id }) }), {
    changes: [keys.limits],
    isQuiet: true,
    onDone: () => {
      showToast(limits.saved);
      onClose();
    },
  });
  const problems = sortProblem(save.error, ['running_tasks', 'id'], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const isReady = tasks !== '' && (scope === 'account' || choices === null || id !== '');
  const actions = (
    <DialogActions onCancel={onClose} label={ui.save} type="submit" form={formId} isBusy={save.isPending} disabled={!isReady} />
  );
  const title = limit === null ? limits.add : limits.change;
  return (
    <Dialog isOpen onClose={onClose} title={title} lead={limits.dialogLead} actions={actions} guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <TargetFields
          {...{ scopes, scope, id }}
          choices={choices}
          names={{ external_user: limits.eachPerson }}
          isNew={limit === null}
          problem={problems.of('id')}
          onChange={setTarget}
        />
        <TextField
          label={limits.tasks}
          problem={problems.of('running_tasks')}
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          required
          value={tasks}
          onChange={(event) => setTasks(event.target.value)}
        />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
