import type { Trigger, TriggerEvent } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { ChoiceField } from '../automation/choice-field.tsx';
import { RecipeChoice, recipeFieldNames } from '../automation/recipe-choice.tsx';
import { limitFieldNames, settingsOf, type TaskSettings, TaskSettingsFields } from '../automation/task-settings.tsx';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { FormProblem, type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { FilterFields } from './filter-fields.tsx';
import { TemplateField } from './template-field.tsx';
import { readForm, toNewTrigger, toTriggerChange, type TriggerForm, typeOf } from './trigger-request.ts';
import { VerificationFields } from './verification-fields.tsx';

const formId = 'trigger';
const longestName = 100;
const ownFields = ['name', 'message_template', 'type', 'verification', 'folder', 'bucket', 'filter', 'dedupe'];
const fields = [...ownFields, ...recipeFieldNames, ...limitFieldNames];

interface TriggerDialogProps {
  /** Null for a new trigger. */
  trigger: Trigger | null;
  /** The last delivery whose body is known. */
  delivery?: TriggerEvent | undefined;
  onClose(): void;
  /** Receives the secret, if one was generated, for the last time. */
  onSaved(trigger: Trigger): void;
}

interface TemplateProps extends Pick<TriggerDialogProps, 'trigger' | 'delivery'> {
  form: TriggerForm;
  error: unknown;
  problems: FormProblems;
  onChange(part: Partial<TriggerForm>): void;
}

/** The message of its tasks, or a recipe, whose settings a new trigger takes over. */
function Template({ form, trigger, delivery, error, problems, onChange }: TemplateProps) {
  return (
    <RecipeChoice
      draft={form.recipe}
      {...{ error, problems }}
      takesTemplates
      onChange={(recipe) => onChange({ recipe })}
      onChoose={(recipe, chosen, left) => onChange({ recipe, ...(trigger === null && settingsOf(chosen, left, form.settings)) })}
    >
      <TemplateField
        value={form.template}
        delivery={delivery}
        type={typeOf(form.sender)}
        problem={problems.of('message_template')}
        onChange={(template) => onChange({ template })}
      />
    </RecipeChoice>
  );
}

/** Makes or changes a trigger. */
export function TriggerDialog({ trigger, delivery, onClose, onSaved }: TriggerDialogProps) {
  const text = useText();
  const { triggers, ui } = text;
  const [form, setForm] = useState(() => readForm(trigger));
  const change = (part: Partial<TriggerForm>) => setForm((before) => ({ ...before, ...part }));
  const changeSettings = (part: Partial<TaskSettings>) => change({ settings: { ...form.settings, ...part } });
  const save = useAction(
    () => (trigger === null ? errand.trigger.create(toNewTrigger(form)) : errand.trigger.update(toTriggerChange(form, trigger))),
    { changes: [keys.triggers], isQuiet: true, onDone: ({ trigger: saved }) => onSaved(saved) },
  );
  const problems = sortProblem(save.error, fields, text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const label = trigger === null ? triggers.create : ui.save;
  const actions = <DialogActions onCancel={onClose} label={label} type="submit" form={formId} isBusy={save.isPending} />;
  return (
    <Dialog isOpen onClose={onClose} title={trigger?.name ?? triggers.new} actions={actions} isWide guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={triggers.name}
          required
          maxLength={longestName}
          value={form.name}
          problem={problems.of('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Template {...{ form, trigger, delivery, problems }} error={save.error} onChange={change} />
        <VerificationFields form={form} trigger={trigger} problems={problems} onChange={change} />
        <FilterFields filter={form.filter} problem={problems.of('filter')} onChange={(filter) => change({ filter })} />
        {form.sender !== 'folder' && form.sender !== 'bucket' && (
          <TextField
            label={triggers.dedupe}
            hint={triggers.dedupeHint}
            isOptional
            spellCheck={false}
            value={form.dedupe}
            problem={problems.of('dedupe')}
            onChange={(event) => change({ dedupe: event.target.value })}
          />
        )}
        <ChoiceField
          label={triggers.conversation}
          value={form.conversation}
          names={triggers.conversations}
          onChange={(conversation) => change({ conversation })}
        />
        <TaskSettingsFields settings={form.settings} problems={problems} onChange={changeSettings} />
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
