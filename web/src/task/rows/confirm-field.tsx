import { useText } from '../../text/locale.ts';
import { Field, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Checkbox } from '../../ui/controls/switch.tsx';
import { type ConfirmField, lastingFields } from './confirm-fields.ts';

interface ConfirmFieldProps {
  field: ConfirmField;
  value: unknown;
  onChange(value: unknown): void;
}

/** A control for one field of a decision. */
export function ConfirmControl({ field, value, onChange }: ConfirmFieldProps) {
  const { task } = useText();
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (field.kind === 'flag') {
    const label = lastingFields.has(field.name) ? task.always : field.label;
    return <Checkbox label={label} isOn={value === true} onChange={onChange} />;
  }
  if (field.kind === 'choice') {
    const options = ['', ...field.options].map((option) => ({ value: option, label: option }));
    return (
      <Field label={field.label}>
        {(control) => (
          <Select {...control} value={text} options={options} onValueChange={(chosen) => onChange(chosen || undefined)} />
        )}
      </Field>
    );
  }
  if (field.kind === 'number') {
    const read = (typed: string) => onChange(typed === '' ? undefined : Number(typed));
    return <TextField label={field.label} inputMode="decimal" value={text} onChange={(event) => read(event.target.value)} />;
  }
  return <TextField label={field.label} value={text} onChange={(event) => onChange(event.target.value || undefined)} />;
}
