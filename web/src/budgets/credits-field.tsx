import { useText } from '../text/locale.ts';
import { TextField } from '../ui/controls/field.tsx';

interface CreditsFieldProps {
  value: string;
  problem: string | null;
  onChange(value: string): void;
}

/** A limit in credits: a whole number, at least 1. */
export function CreditsField({ value, problem, onChange }: CreditsFieldProps) {
  const { budgets } = useText();
  return (
    <TextField
      label={budgets.credits}
      problem={problem}
      type="number"
      inputMode="numeric"
      min={1}
      step={1}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
