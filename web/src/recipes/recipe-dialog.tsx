import type { Recipe } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { limitFieldNames, TaskSettingsFields } from '../automation/task-settings.tsx';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { FieldRows } from './field-rows.tsx';
import { readForm, type RecipeForm as Form, type RecipeSource, toRecipe } from './recipe-form.ts';
import { fieldsOf } from './template-fields.ts';

const formId = 'recipe';
const longest = { name: 100, description: 500, template: 100_000 };

interface RecipeDialogProps {
  /** The recipe to change; null for a new one. */
  recipe: Recipe | null;
  /** What the form begins with. */
  source: RecipeSource;
  onClose(): void;
}

interface PartProps {
  form: Form;
  problems: FormProblems;
  onChange(part: Partial<Form>): void;
}

function Texts({ form, problems, onChange }: PartProps) {
  const { recipes } = useText();
  return (
    <>
      <TextField
        label={recipes.name}
        required
        maxLength={longest.name}
        value={form.name}
        problem={problems.of('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextField
        label={recipes.description}
        isOptional
        maxLength={longest.description}
        value={form.description}
        problem={problems.of('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <Field label={recipes.template} hint={recipes.templateHint} problem={problems.of('message_template')}>
        {(control) => (
          <TextArea
            {...control}
            required
            className="min-h-28"
            maxLength={longest.template}
            value={form.template}
            onChange={(event) => onChange({ template: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Makes or changes a recipe. Its fields follow from its text. */
export function RecipeDialog({ recipe, source, onClose }: RecipeDialogProps) {
  const text = useText();
  const { recipes, ui } = text;
  const hasTeam = Boolean(useSession().data?.team);
  const [form, setForm] = useState(() => readForm(source));
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }));
  const save = useAction(
    () =>
      recipe === null ? errand.recipe.create(toRecipe(form)) : errand.recipe.update({ recipe_id: recipe.id, ...toRecipe(form) }),
    {
      changes: [keys.recipes],
      isQuiet: true,
      onDone: () => {
        showToast(recipe === null ? recipes.created : recipes.saved);
        onClose();
      },
    },
  );
  const problems = sortProblem(save.error, ['name', 'description', 'message_template', 'fields', ...limitFieldNames], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const label = recipe === null ? recipes.create : ui.save;
  const actions = <DialogActions onCancel={onClose} label={label} type="submit" form={formId} isBusy={save.isPending} />;
  return (
    <Dialog isOpen onClose={onClose} title={recipe?.name ?? recipes.new} actions={actions} isWide guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <Texts form={form} problems={problems} onChange={change} />
        <FieldRows
          fields={fieldsOf(form.template, form.known)}
          choiceTexts={form.choiceTexts}
          problem={problems.of('fields')}
          onChange={(field) => change({ known: [...form.known.filter(({ name }) => name !== field.name), field] })}
          onChoices={(name, choices) => change({ choiceTexts: { ...form.choiceTexts, [name]: choices } })}
        />
        <TaskSettingsFields
          settings={form.settings}
          problems={problems}
          onChange={(part) => change({ settings: { ...form.settings, ...part } })}
        />
        {hasTeam && (
          <Checkbox
            label={recipes.shareWithTeam}
            hint={recipes.shareHint}
            isOn={form.isShared}
            onChange={(isShared) => change({ isShared })}
          />
        )}
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
