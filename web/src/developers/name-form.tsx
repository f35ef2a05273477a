import { type SubmitEvent, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';
import { sortProblem } from '../ui/feedback/form-problem.tsx';

export interface NameFormProps {
  /** The field's name in the API. */
  field: 'name' | 'url';
  label: string;
  hint: string;
  submitLabel: string;
  isBusy: boolean;
  placeholder?: string;
  /** Why the last attempt failed. */
  error: unknown;
  /** The field is cleared when this resolves, and keeps its text on failure. */
  onSubmit(value: string): Promise<unknown>;
}

/** A field and a button, to create something that only needs a name. */
export function NameForm({ field, label, hint, submitLabel, isBusy, placeholder, error, onSubmit }: NameFormProps) {
  const text = useText();
  const [value, setValue] = useState('');
  const problems = sortProblem(error, [field], text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit(value).then(
      () => setValue(''),
      () => undefined,
    );
  };
  return (
    <form onSubmit={submit} className="mb-8 flex flex-wrap items-start gap-3">
      <TextField
        label={label}
        hint={hint}
        type={field === 'url' ? 'url' : 'text'}
        placeholder={placeholder}
        problem={problems.of(field) ?? problems.rest}
        autoComplete="off"
        required
        maxLength={field === 'url' ? 2000 : 100}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        className="w-full max-w-sm"
      />
      <Button type="submit" look="primary" isBusy={isBusy} className="sm:mt-6.5">
        {submitLabel}
      </Button>
    </form>
  );
}
