import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  hint?: string;
  problem?: string | null;
  value: Value;
  /** The options in order, with their names. */
  names: Readonly<Partial<Record<Value, string>>>;
  onChange(value: Value): void;
}

/** A labelled choice between named values. */
export function ChoiceField<Value extends string>({
  label,
  hint,
  problem = null,
  value,
  names,
  onChange,
}: ChoiceFieldProps<Value>) {
  const options = (Object.entries(names) as [Value, string][]).map(([one, name]) => ({ value: one, label: name }));
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <Select {...control} value={value} options={options} onValueChange={onChange} />}
    </Field>
  );
}
