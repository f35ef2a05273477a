import { Button } from './button.tsx';

export interface RowActionProps {
  /** What it does, in a word. */
  label: string;
  /** What it applies to, for screen readers. */
  name: string;
  isBusy?: boolean;
  onClick(): void;
}

/** A button at the end of a table row. */
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
