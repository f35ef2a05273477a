import { Eye } from 'lucide-react';
import { useText } from '../text/locale.ts';

/** Replaces the composer in a task that another member shares with the team. */
export function ReadOnlyNote({ email, team }: { email: string; team: string | null }) {
  const { task } = useText();
  return (
    <p role="note" className="flex items-start gap-2.5 rounded-lg border border-line bg-card px-4 py-3 text-sm text-soft">
      <Eye aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium text-ink">{task.sharedBy(email, team)}</span> {task.readOnly}
      </span>
    </p>
  );
}
