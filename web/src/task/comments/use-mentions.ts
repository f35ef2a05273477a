import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useTaskMembers } from '../../api/settings-queries.ts';
import { completeMention, readMentionQuery } from './mention.ts';

/** Members that are offered at once. */
const mostOffered = 8;

interface MentionsInput {
  taskId: string;
  text: string;
  setText(text: string): void;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Offers members of the task's team while one is mentioned; none without a team. */
export function useMentions({ taskId, text, setText, field }: MentionsInput) {
  const session = useSession().data;
  const members = useTaskMembers(taskId) ?? [];
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const caret = useRef<number | null>(null);
  // The caret goes where the mention ends once the field has the new text.
  useEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const sought = query?.toLowerCase() ?? null;
  const emails =
    sought === null
      ? []
      : members
          .filter(({ account_id: id, email }) => id !== session?.account.id && email.includes(sought))
          .map(({ email }) => email)
          .slice(0, mostOffered);
  const look = () => {
    const at = field.current?.selectionStart ?? 0;
    setQuery(readMentionQuery(field.current?.value ?? '', at));
    setActive(0);
  };
  const choose = (email: string) => {
    const done = completeMention(text, field.current?.selectionStart ?? text.length, email);
    caret.current = done.caret;
    setText(done.text);
    setQuery(null);
  };
  /** Whether the key was for the list. */
  const takeKey = ({ key, nativeEvent }: KeyboardEvent): boolean => {
    if (emails.length === 0 || nativeEvent.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setActive((active + step + emails.length) % emails.length);
    else if (key === 'Enter' || key === 'Tab') choose(emails[active] ?? '');
    else if (key === 'Escape') setQuery(null);
    else return false;
    return true;
  };
  return { emails, active, look, choose, takeKey, end: () => setQuery(null) };
}
