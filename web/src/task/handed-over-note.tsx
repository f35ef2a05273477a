import { UserRoundCheck } from 'lucide-react';
import { useText } from '../text/locale.ts';

/** Above the composer of a task that a teammate has handed over. */
export function HandedOverNote({ email }: { email: string }) {
  const { people } = useText();
  return (
    <p role="note" className="flex items-start gap-2 px-1 text-sm text-soft">
      <UserRoundCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{people.handedOverBy(email)}</span>
    </p>
  );
}
