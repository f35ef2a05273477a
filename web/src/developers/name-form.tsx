import { type SubmitEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

export interface NameFormProps {
  label: string;
  hint: string;
  submitLabel: string;
  isBusy: boolean;
  type?: 'text' | 'url';
  /** The field is emptied when this is done, and keeps what was typed when it fails. */
  onSubmit(value: string): Promise<unknown>;
}

/** One field and a button: for making something of which only this is said. */
export function NameForm({ label, hint, submitLabel, isBusy, type = 'text', onSubmit }: NameFormProps) {
  const [value, setValue] = useState('');
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
        type={type}
        required
        maxLength={type === 'url' ? 2000 : 100}
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
