import type { Schedule } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { ChoiceField } from '../automation/choice-field.tsx';
import { RecipeChoice, recipeFieldNames } from '../automation/recipe-choice.tsx';
import { limitFieldNames, settingsOf, TaskSettingsFields } from '../automation/task-settings.tsx';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Field, TextField } from '../ui/controls/field.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { FormProblem, type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { type Plan } from './plan.ts';
import { PlanFields } from './plan-fields.tsx';
import { PlanPreview, usePlanPreview } from './plan-preview.tsx';
import { readForm, type ScheduleForm as Form } from './schedule-request.ts';

const longest = { name: 100, message: 200_000 };
const timingFields = ['cron', 'interval_seconds', 'run_at', 'time_zone'];

interface ScheduleFormProps {
  /** Id for the button that submits it. */
  formId: string;
  /** Null for a new schedule. */
  schedule: Schedule | null;
  /** Why the last attempt failed. */
  error: unknown;
  onSubmit(form: Form): void;
}

/** How runs relate to each other and to times without the service. */
function Policies({ form, onChange }: { form: Form; onChange(part: Partial<Form>): void }) {
  const { schedules } = useText();
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <ChoiceField
        label={schedules.conversation}
        value={form.conversation}
        names={schedules.conversations}
        onChange={(conversation) => onChange({ conversation })}
      />
      <ChoiceField
        label={schedules.overlap}
        value={form.overlap}
        names={schedules.overlaps}
        onChange={(overlap) => onChange({ overlap })}
      />
      <ChoiceField
        label={schedules.catchUp}
        value={form.catchUp}
        names={schedules.catchUps}
        onChange={(catchUp) => onChange({ catchUp })}
      />
    </div>
  );
}

interface MessageProps extends Pick<ScheduleFormProps, 'schedule' | 'error'> {
  form: Form;
  problems: FormProblems;
  onChange(part: Partial<Form>): void;
}

/** What its tasks begin with: a message or a recipe, whose settings a new schedule takes over. */
function Message({ form, schedule, error, problems, onChange }: MessageProps) {
  const { schedules } = useText();
  const format = useFormat();
  const files = schedule?.message.attachments?.map(({ filename }) => filename) ?? [];
  return (
    <RecipeChoice
      draft={form.recipe}
      {...{ error, problems }}
      onChange={(recipe) => onChange({ recipe })}
      onChoose={(recipe, chosen, left) => onChange({ recipe, ...(schedule === null && settingsOf(chosen, left, form.settings)) })}
    >
      <Field
        label={schedules.message}
        problem={problems.of('message')}
        {...(files.length > 0 && { hint: schedules.filesHint(format.list(files)) })}
      >
        {(control) => (
          <TextArea
            {...control}
            required
            className="min-h-24"
            maxLength={longest.message}
            value={form.message}
            onChange={(event) => onChange({ message: event.target.value })}
          />
        )}
      </Field>
    </RecipeChoice>
  );
}

/** The settings of a schedule, with its next runs as they are entered. */
export function ScheduleForm({ formId, schedule, error, onSubmit }: ScheduleFormProps) {
  const text = useText();
  const { schedules } = text;
  const [form, setForm] = useState(() => readForm(schedule));
  const change = (part: Partial<Form>) => setForm((known) => ({ ...known, ...part }));
  const preview = usePlanPreview(form.plan);
  const problems = sortProblem(error, ['name', 'message', ...recipeFieldNames, ...timingFields, ...limitFieldNames], text);
  const timingProblems = sortProblem(preview.error, timingFields, text);
  const planProblems = { of: (field: string) => timingProblems.of(field) ?? problems.of(field), rest: null };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(form);
  };
  return (
    <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={schedules.name}
        hint={schedules.nameHint}
        required
        maxLength={longest.name}
        value={form.name}
        problem={problems.of('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Message {...{ form, schedule, error, problems }} onChange={change} />
      <PlanFields
        plan={form.plan}
        problems={planProblems}
        onChange={(part: Partial<Plan>) => change({ plan: { ...form.plan, ...part } })}
      />
      <PlanPreview {...preview} />
      <Policies form={form} onChange={change} />
      <TaskSettingsFields
        settings={form.settings}
        problems={problems}
        onChange={(part) => change({ settings: { ...form.settings, ...part } })}
      />
      <FormProblem problem={problems.rest ?? timingProblems.rest} />
    </form>
  );
}
