import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import type { Scope, Target } from './use-targets.ts';

interface TargetFieldsProps<Choice extends Scope> {
  scopes: readonly Choice[];
  scope: Choice;
  /** Id of what is limited; empty until chosen. */
  id: string;
  /** What can be chosen in this scope; null where the scope says it all. */
  choices: readonly Target[] | null;
  /** Names of scopes that differ from those of budgets. */
  names?: Partial<Record<Choice, string>>;
  /** What an existing limit is for does not change. */
  isNew: boolean;
  problem: string | null;
  onChange(target: { scope: Choice; id: string }): void;
}

/** What a budget or a limit is for. */
export function TargetFields<Choice extends Scope>(props: TargetFieldsProps<Choice>) {
  const { scopes, scope, id, choices, names, isNew, problem, onChange } = props;
  const { budgets } = useText();
  return (
    <>
      <Field label={budgets.scope}>
        {(control) => (
          <Select
            {...control}
            value={scope}
            disabled={!isNew}
            options={scopes.map((value) => ({ value, label: names?.[value] ?? budgets.scopes[value] }))}
            onValueChange={(value) => onChange({ scope: value, id: '' })}
          />
        )}
      </Field>
      {scope !== 'account' && choices && (
        <Field label={budgets.target} problem={problem ?? (choices.length === 0 ? budgets.noTargets : null)}>
          {(control) => (
            <Select
              {...control}
              value={id}
              disabled={!isNew || choices.length === 0}
              options={choices.map((one) => ({ value: one.id, label: one.name }))}
              onValueChange={(value) => onChange({ scope, id: value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
