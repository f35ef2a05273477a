import type { Project, Request } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { connectorsQuery, skillsQuery } from '../api/account-facts.ts';
import { useText } from '../text/locale.ts';
import { ChoiceList } from '../ui/controls/choice-list.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { UnsavedGuard } from '../ui/dialogs/unsaved-guard.tsx';
import { SetupField } from './setup-field.tsx';

export type ProjectFacts = Request<'project.create'>;

const longest = { name: 100, instruction: 20_000 };

export interface ProjectFormProps {
  /** Id for the button that submits it. */
  formId: string;
  /** Null for a new project. */
  project: Project | null;
  isBusy: boolean;
  /** Why the last attempt failed. */
  error: unknown;
  onSubmit(facts: ProjectFacts): void;
}

/** Everything that the form shows. */
type Form = Required<Omit<ProjectFacts, 'retention_days'>>;

interface ChoicesProps {
  project: Project | null;
  facts: Form;
  onChange(part: Partial<Form>): void;
}

function Choices({ project, facts, onChange }: ChoicesProps) {
  const { projects } = useText();
  const connectors = useQuery(connectorsQuery).data ?? [];
  const skills = useQuery(skillsQuery(project?.id)).data ?? [];
  return (
    <>
      <ChoiceList
        title={projects.connectors}
        hint={projects.connectorsHint}
        options={connectors}
        chosen={facts.connectors}
        onChange={(chosen) => onChange({ connectors: chosen })}
      />
      <ChoiceList
        title={projects.skills}
        hint={projects.skillsHint}
        options={skills}
        chosen={facts.skills}
        onChange={(chosen) => onChange({ skills: chosen })}
      />
    </>
  );
}

function readForm(project: Project | null): Form {
  return {
    name: project?.name ?? '',
    instruction: project?.instruction ?? '',
    connectors: project?.connectors ?? [],
    skills: project?.skills ?? [],
    actions: project?.actions ?? 'allow',
    memory: project?.memory ?? true,
    setup_script: project?.setup_script ?? '',
  };
}

/** The settings of a project. */
export function ProjectForm({ formId, project, isBusy, error, onSubmit }: ProjectFormProps) {
  const text = useText();
  const { projects } = text;
  const [facts, setFacts] = useState(() => readForm(project));
  const problems = sortProblem(error, ['name', 'instruction', 'setup_script'], text);
  const change = (part: Partial<Form>) => setFacts((known) => ({ ...known, ...part }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(facts);
  };
  const actions = (['allow', 'refuse'] as const).map((value) => ({ value, label: projects.actions[value] }));
  return (
    <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
      {project && <UnsavedGuard isDirty={!isBusy && JSON.stringify(facts) !== JSON.stringify(readForm(project))} />}
      <TextField
        label={projects.name}
        required
        maxLength={longest.name}
        value={facts.name}
        problem={problems.of('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Field label={projects.instruction} hint={projects.instructionHint} problem={problems.of('instruction')} isOptional>
        {(control) => (
          <TextArea
            {...control}
            className="min-h-36"
            maxLength={longest.instruction}
            value={facts.instruction}
            onChange={(event) => change({ instruction: event.target.value })}
          />
        )}
      </Field>
      <Choices project={project} facts={facts} onChange={change} />
      <Field label={projects.actionsLabel} hint={projects.actionsHint}>
        {(control) => (
          <Select
            {...control}
            className="max-w-80"
            value={facts.actions}
            options={actions}
            onValueChange={(value) => change({ actions: value })}
          />
        )}
      </Field>
      <Checkbox
        label={projects.memory}
        hint={projects.memoryHint}
        isOn={facts.memory}
        onChange={(memory) => change({ memory })}
      />
      <SetupField project={project} script={facts.setup_script} problem={problems.of('setup_script')} onChange={change} />
      <FormProblem problem={problems.rest} />
    </form>
  );
}
