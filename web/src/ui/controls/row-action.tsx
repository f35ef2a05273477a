import { Button } from './button.tsx';

export interface RowActionProps {
  /** What it does, in a word. */
  label: string;
  /** To what, for people who hear one button after the other. */
  name: string;
  isBusy?: boolean;
  onClick(): void;
}

/** A button at the end of a row of a table. */
export function RowAction({ label, name, isBusy = false, onClick }: RowActionProps) {
  return (
    <Button
      size="small"
      look="quiet"
      className="-mr-2.5 text-soft hover:text-ink"
      aria-label={`${label}: ${name}`}
      isBusy={isBusy}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}
