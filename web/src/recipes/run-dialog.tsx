import type { Recipe } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { ValueField, valueNameOf } from '../automation/value-field.tsx';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { FormProblem } from '../ui/feedback/form-problem.tsx';
import { describeError } from '../ui/feedback/state.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { linkTo } from './recipes-search.ts';

const formId = 'recipe-run';

interface RunDialogProps {
  recipe: Recipe;
  /** What its fields begin with. */
  initial?: Readonly<Record<string, string>>;
  onClose(): void;
}

/** The form of a recipe, which starts a task. */
export function RunDialog({ recipe, initial = {}, onClose }: RunDialogProps) {
  const text = useText();
  const { recipes } = text;
  const navigate = useNavigate();
  const [values, setValues] = useState<Readonly<Record<string, string | null>>>(initial);
  const run = useAction((filled: Record<string, string>) => errand.recipe.run({ recipe_id: recipe.id, values: filled }), {
    changes: [keys.tasks],
    isQuiet: true,
    onDone: ({ task_id: taskId }) => void navigate({ to: '/app/$taskId', params: { taskId } }),
  });
  const problem = run.error === null ? null : describeError(run.error, text);
  const wrong = valueNameOf(run.error);
  const isAtField = recipe.fields.some(({ name }) => name === wrong);
  const filled = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  const files = new Set(recipe.fields.flatMap(({ name, type }) => (type === 'file' ? [name] : [])));
  const isUploading = filled.length < Object.keys(values).length;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isUploading) run.mutate(Object.fromEntries(filled));
  };
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={recipes.start}
      type="submit"
      form={formId}
      isBusy={run.isPending}
      disabled={isUploading}
    />
  );
  return (
    <Dialog isOpen onClose={onClose} title={recipe.name} lead={recipe.description} actions={actions} guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        {recipe.fields.length === 0 && <p className="text-sm whitespace-pre-wrap text-soft">{recipe.message_template}</p>}
        {recipe.fields.map((field) => (
          <ValueField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            problem={field.name === wrong ? problem : null}
            onChange={(value) =>
              setValues((before) => (before[field.name] === value ? before : { ...before, [field.name]: value }))
            }
          />
        ))}
        <CopyButton
          isLabelled
          label={recipes.copyLink}
          text={linkTo(recipe.id, Object.fromEntries(filled.filter(([name, value]) => value !== '' && !files.has(name))))}
          className="self-start"
        />
        <FormProblem problem={isAtField ? null : problem} />
      </form>
    </Dialog>
  );
}
