import { useQuery } from '@tanstack/react-query';
import { connectorsQuery, projectsQuery, skillsQuery } from '../api/account-facts.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { ChoiceList } from '../ui/controls/choice-list.tsx';
import { SchemaField } from './schema-field.tsx';
import type { TaskOptions } from './task-options.ts';

export interface OptionsProps {
  options: TaskOptions;
  onChange(facts: Partial<TaskOptions>): void;
}

/** The default connectors of a task. */
function useUsualConnectors(projectId: string): readonly string[] {
  const connectors = useQuery(connectorsQuery).data ?? [];
  const project = useQuery(projectsQuery).data?.find(({ id }) => id === projectId);
  if (project && project.connectors.length > 0) return project.connectors;
  return connectors.filter((connector) => connector.enabled_by_default).map(({ id }) => id);
}

/** Rarely needed options, below the message. */
export function OptionsPanel({ id, options, onChange }: OptionsProps & { id: string }) {
  const { home, taskList } = useText();
  const connectors = useQuery(connectorsQuery).data ?? [];
  const skills = useQuery(skillsQuery(options.projectId || undefined)).data ?? [];
  const usual = useUsualConnectors(options.projectId);
  const visibilities = (['private', 'team', 'public'] as const).map((value) => ({ value, label: taskList.visibility[value] }));
  return (
    <div id={id} className="appear mx-4 mb-3 grid grid-cols-1 gap-5 border-t border-line pt-4 sm:grid-cols-2">
      <Switch
        label={home.interactive}
        hint={home.interactiveHint}
        isOn={options.isInteractive}
        onChange={(isInteractive) => onChange({ isInteractive })}
      />
      <Field label={taskList.whoMaySee}>
        {(control) => (
          <Select
            {...control}
            value={options.visibility}
            options={visibilities}
            onValueChange={(visibility) => onChange({ visibility })}
          />
        )}
      </Field>
      <ChoiceList
        title={home.connectors}
        hint={home.connectorsHint}
        options={connectors}
        chosen={options.connectors ?? usual}
        onChange={(chosen) => onChange({ connectors: chosen })}
      />
      <ChoiceList
        title={home.skills}
        hint={home.skillsHint}
        options={skills}
        chosen={options.skills}
        onChange={(chosen) => onChange({ skills: chosen })}
      />
      <div className="sm:col-span-2">
        <SchemaField schema={options.schema} onChange={(schema) => onChange({ schema })} />
      </div>
    </div>
  );
}
