import { useState } from 'react';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import type { Conversation } from './conversation/conversation.ts';
import type { Row } from './conversation/row.ts';
import type { FeedState } from './feed/task-feed.ts';

const longestSpoken = 600;

/** The latest message to the person, if it is still the last of its kind. */
function newestSaid(conversation: Conversation): Row | null {
  const view = conversation.view();
  for (let index = view.length - 1; index >= Math.max(0, view.length - 6); index -= 1) {
    const row = view.rowAt(index);
    if (row && ['agent', 'question', 'confirm', 'error'].includes(row.kind)) return row;
  }
  return null;
}

function describe(row: Row, { task }: Texts): string | null {
  const cut = (text: string) => text.slice(0, longestSpoken);
  if (row.kind === 'agent') return row.isAside ? null : task.replied(cut(row.text));
  if (row.kind === 'question') return task.asked(cut(`${row.text} ${row.suggestions.join(', ')}`));
  if (row.kind === 'confirm') return `${task.confirmTitles[row.actionKind] ?? task.confirmAnything} ${row.description}`;
  return row.kind === 'error' ? `${task.errorTitle}: ${cut(row.text)}` : null;
}

function useSaid(conversation: Conversation, isReady: boolean): string {
  const text = useText();
  const [said, setSaid] = useState('');
  const [known, setKnown] = useState<string | null>(null);
  const row = newestSaid(conversation);
  const key = row === null ? '' : `${row.key} ${row.kind}`;
  if (isReady && key !== known) {
    setKnown(key);
    // Existing messages are not announced when the page opens.
    if (known !== null && row !== null) setSaid(describe(row, text) ?? said);
  }
  return said;
}

/** Announces complete messages and status changes to screen readers, never partial text. */
export function Announcer({ conversation, state }: { conversation: Conversation; state: FeedState }) {
  const { task } = useText();
  const isReady = state.kind !== 'loading' && conversation.eventCount > 0;
  const said = useSaid(conversation, isReady);
  return (
    <>
      <div role="status" className="sr-only">
        {isReady && task.status[conversation.status]}
      </div>
      <div aria-live="polite" className="sr-only">
        {said}
      </div>
    </>
  );
}
