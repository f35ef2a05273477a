import { UserRoundCheck } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { useTaskMembers } from '../../api/settings-queries.ts';
import { useText } from '../../text/locale.ts';
import { Badge } from '../../ui/display/badge.tsx';

/** To whom a task is handed over. */
export function AssigneeBadge({ taskId, assignee }: { taskId: string; assignee: string }) {
  const { people } = useText();
  const session = useSession().data;
  const members = useTaskMembers(taskId) ?? [];
  const isSelf = assignee === session?.account.id;
  const email = members.find(({ account_id: id }) => id === assignee)?.email;
  if (!isSelf && email === undefined) return null;
  return (
    <Badge>
      <UserRoundCheck aria-hidden className="size-3.5" />
      <span className="max-w-40 truncate max-sm:sr-only">{isSelf ? people.handedToYou : people.handedTo(email ?? '')}</span>
    </Badge>
  );
}
