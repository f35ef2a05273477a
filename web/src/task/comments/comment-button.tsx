import { MessageSquareQuote } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import type { RowContext } from '../rows/row-props.ts';

/** Begins a comment on a message; nothing for visitors. */
export function CommentButton({ eventId, context }: { eventId: string; context: RowContext }) {
  const { people } = useText();
  const { comment } = context;
  if (!comment) return null;
  const icon = <MessageSquareQuote aria-hidden className="size-4" />;
  return <IconButton label={people.comment} icon={icon} onClick={() => comment(eventId)} />;
}
