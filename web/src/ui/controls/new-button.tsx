import { Plus } from 'lucide-react';
import { Button } from './button.tsx';

/** Opens the form for something new. */
export function NewButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button look="primary" onClick={onClick}>
      <Plus aria-hidden className="size-4" />
      {label}
    </Button>
  );
}
