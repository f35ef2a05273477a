import type { InboxItem } from '@errand/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { errand } from '../api/errand.ts';
import { mayDecide } from '../api/inbox-queries.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { membersQuery } from '../api/settings-queries.ts';
import { parseQuestion } from '../task/conversation/question.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { showToast } from '../ui/feedback/toast.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { AssigneeSelect } from './assignee-select.tsx';
import { type Decision, DecisionForm } from './decision-form.tsx';
import { ItemCard } from './item-card.tsx';
import { ItemList } from './item-list.tsx';
import type { InboxType } from './inbox-search.ts';

/** An item is decided once: that somebody was faster is said at once, not tried again. */
const once = { idempotencyKey: null };

/** Names the person who should decide an item of a teammate's task that is not assigned to the user. */
function NotYours({ item }: { item: InboxItem }) {
  const { inbox } = useText();
  const members = useQuery(membersQuery).data;
  const assignee = members?.find(({ account_id: id }) => id === item.assignee);
  return (
    <p className="mt-2 text-sm text-soft">
      {assignee ? `${inbox.assignee}: ${assignee.email}. ` : ''}
      {inbox.notYours}
    </p>
  );
}

/** When the time limit of its task decides an item. */
function Expiry({ item, ms }: { item: InboxItem; ms: number }) {
  const { inbox } = useText();
  const time = useFormat().dateTime(ms);
  return (
    <p className="mt-2 text-sm text-soft">{item.type === 'question' ? inbox.answersItself(time) : inbox.declinesItself(time)}</p>
  );
}

function OpenItem({ item }: { item: InboxItem }) {
  const { inbox } = useText();
  const client = useQueryClient();
  const accountId = useSession().data?.account.id;
  const decide = useAction((decision: Decision) => errand.inbox.decide({ id: item.id, ...decision }, once), {
    changes: [keys.inbox],
    // Somebody may have decided it elsewhere.
    onFailed: () => void client.invalidateQueries({ queryKey: keys.inbox }),
  });
  const send = (decision: Decision) => {
    const isDismissal = item.type === 'failure' && decision.accept === false;
    decide.mutate(decision, { onSuccess: () => showToast(isDismissal ? inbox.dismissed : inbox.done) });
  };
  const isMine = mayDecide(item, accountId);
  const asked = isMine && item.type === 'question' ? parseQuestion(item.text).text : item.text;
  return (
    <ItemCard item={item} text={asked}>
      {item.expires_at !== undefined && <Expiry item={item} ms={item.expires_at * 1000} />}
      {isMine ? <DecisionForm item={item} isBusy={decide.isPending} onDecide={send} /> : <NotYours item={item} />}
      {item.owner === accountId && (
        <div className="mt-3.5 border-t border-line pt-2 empty:hidden">
          <AssigneeSelect item={item} />
        </div>
      )}
    </ItemCard>
  );
}

/** What waits for a person. */
export function OpenItems({ type }: { type: InboxType | undefined }) {
  const { inbox } = useText();
  return (
    <ItemList status="open" type={type} renderItem={(item) => <OpenItem item={item} />}>
      <EmptyState icon={<Inbox aria-hidden />} title={type === undefined ? inbox.emptyTitle : inbox.noneOfType}>
        {type === undefined ? inbox.emptyBody : inbox.noneOfTypeBody}
      </EmptyState>
    </ItemList>
  );
}
