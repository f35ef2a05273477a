import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';

interface ChoiceFieldProps<Value extends string> {
  label: string;
  hint?: string;
  value: Value;
  /** The options in order, with their names. */
  names: Readonly<Record<Value, string>>;
  onChange(value: Value): void;
}

/** A labelled choice between named values. */
export function ChoiceField<Value extends string>({ label, hint, value, names, onChange }: ChoiceFieldProps<Value>) {
  const options = (Object.entries(names) as [Value, string][]).map(([one, name]) => ({ value: one, label: name }));
  return (
    <Field label={label} hint={hint}>
      {(control) => <Select {...control} value={value} options={options} onValueChange={onChange} />}
    </Field>
  );
}
