import { useInboxCount } from '../../api/inbox-queries.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';

/** How many items of the inbox wait for the user; nothing if none does. */
export function InboxBadge({ isDot = false }: { isDot?: boolean }) {
  const { app } = useText();
  const format = useFormat();
  const { count, isMore } = useInboxCount();
  if (count === 0) return null;
  const shown = `${format.number(count)}${isMore ? '+' : ''}`;
  if (isDot) {
    return (
      <span className="pointer-events-none absolute top-1.5 right-1.5 size-2 rounded-full bg-accent">
        <span className="sr-only">{app.inboxCount(shown)}</span>
      </span>
    );
  }
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 py-0.5 text-xs leading-4 font-medium text-on-accent tabular-nums">
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{app.inboxCount(shown)}</span>
    </span>
  );
}
