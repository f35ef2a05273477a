import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../api/account-facts.ts';
import { profiles } from '../api/profiles.ts';
import { useSession } from '../api/session.ts';
import { draftOf, toLimit } from '../budgets/limit-draft.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Checkbox } from '../ui/controls/switch.tsx';
import type { FormProblems } from '../ui/feedback/form-problem.tsx';
import { TaskLimitFields, type TaskLimits } from './limit-fields.tsx';

/** How tasks that start later run; empty texts are the defaults. */
export interface TaskSettings {
  projectId: string;
  profile: string;
  isInteractive: boolean;
  limits: TaskLimits;
}

interface SettingsSource {
  project_id?: string;
  agent_profile?: string;
  interactive_mode: boolean;
  budget?: { credits: number; on_limit: TaskLimits['onLimit'] };
  decision_timeout?: { seconds: number; answer?: string };
}

export function readTaskSettings(source: SettingsSource | null): TaskSettings {
  return {
    projectId: source?.project_id ?? '',
    profile: source?.agent_profile ?? '',
    isInteractive: source?.interactive_mode ?? false,
    limits: {
      budget: draftOf(source?.budget?.credits),
      onLimit: source?.budget?.on_limit ?? 'wait',
      decideIn: String(source?.decision_timeout?.seconds ?? ''),
      answer: source?.decision_timeout?.answer ?? '',
    },
  };
}

type Chosen = (SettingsSource & { is_shipped: boolean }) | undefined;

/**
 * The settings after a recipe has been chosen: its own; those that come with the service have none. What the recipe before had brought and
 * nobody has changed since goes with it.
 * @param left the recipe that was chosen before
 */
export function settingsOf(chosen: Chosen, left: Chosen, now: TaskSettings): { settings?: TaskSettings } {
  if (chosen && !chosen.is_shipped) return { settings: readTaskSettings(chosen) };
  const isOfLeft = left && !left.is_shipped && JSON.stringify(readTaskSettings(left)) === JSON.stringify(now);
  return isOfLeft ? { settings: readTaskSettings(null) } : {};
}

/** The settings as the API takes them; null stands for the default. */
export function toTaskFields({ projectId, profile, isInteractive, limits }: TaskSettings) {
  const { budget, onLimit, decideIn, answer } = limits;
  const given = answer.trim();
  return {
    project_id: projectId || null,
    agent_profile: profile || null,
    interactive_mode: isInteractive,
    budget: budget.amount === '' ? null : { ...toLimit(budget), on_limit: onLimit },
    decision_timeout: decideIn === '' ? null : { seconds: Number(decideIn), ...(given !== '' && { answer: given }) },
  };
}

/** Fields that show their own problems; forms sort these out of the rest. */
export const limitFieldNames = ['budget', 'decision_timeout'] as const;

interface FieldsProps {
  settings: TaskSettings;
  problems: Pick<FormProblems, 'of'>;
  onChange(part: Partial<TaskSettings>): void;
}

/** The project and profile of tasks that start later, and whether they may ask. */
export function TaskSettingsFields({ settings, problems, onChange }: FieldsProps) {
  const { automation, home } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  // Free accounts always get the lightweight profile.
  const isFree = useSession().data?.account.plan === 'free';
  const { projectId, profile, isInteractive, limits } = settings;
  const named = profiles.map((value) => ({ value: value as string, label: home.profiles[value] }));
  const isOther = profile !== '' && !named.some(({ value }) => value === profile);
  const profileOptions = [
    { value: '', label: automation.defaultProfile },
    ...named,
    ...(isOther ? [{ value: profile, label: profile }] : []),
  ];
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        {(projects.length > 0 || projectId !== '') && (
          <Field label={home.project}>
            {(control) => (
              <Select
                {...control}
                value={projectId}
                options={[{ value: '', label: home.noProject }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
                onValueChange={(value) => onChange({ projectId: value })}
              />
            )}
          </Field>
        )}
        {!isFree && (
          <Field label={home.profile}>
            {(control) => (
              <Select
                {...control}
                value={profile}
                options={profileOptions}
                onValueChange={(value) => onChange({ profile: value })}
              />
            )}
          </Field>
        )}
      </div>
      <Checkbox
        label={home.interactive}
        hint={automation.interactiveHint}
        isOn={isInteractive}
        onChange={(value) => onChange({ isInteractive: value })}
      />
      <TaskLimitFields
        limits={limits}
        isInteractive={isInteractive}
        problemOf={(field) => problems.of(field)}
        onChange={(part) => onChange({ limits: { ...limits, ...part } })}
      />
    </>
  );
}
