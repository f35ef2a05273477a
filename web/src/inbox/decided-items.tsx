import type { InboxItem } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { apiKeysQuery, connectionsQuery, membersQuery } from '../api/settings-queries.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import type { InboxType } from './inbox-search.ts';
import { ItemCard } from './item-card.tsx';
import { ItemList } from './item-list.tsx';
import { textOf } from './item-texts.ts';

/** The name of the credential or person that decided. */
function useDecider(item: InboxItem): string {
  const { inbox } = useText();
  const { decided_by: credential = '', decided_by_name: name, decided_by_account_id: decider, assignee } = item;
  const accountId = useSession().data?.account.id;
  const [kind = '', id = ''] = credential.split(':');
  // Decisions of earlier versions name no account: only the owner and the assignee could decide.
  const isOwn = (decider ?? assignee ?? accountId) === accountId;
  const members = useQuery({ ...membersQuery, enabled: kind === 'session' && !isOwn }).data;
  const apiKeys = useQuery({ ...apiKeysQuery, enabled: kind === 'api_key' && name === undefined }).data;
  const apps = useQuery({ ...connectionsQuery, enabled: kind === 'app' }).data;
  if (kind === 'session') {
    return isOwn ? inbox.by.you : (members?.find((member) => member.account_id === decider)?.email ?? inbox.by.web);
  }
  if (kind === 'api_key') return inbox.by.key(name ?? apiKeys?.find((key) => key.id === id)?.name ?? id);
  if (kind === 'app') return inbox.by.app(apps?.find((app) => app.client_id === id)?.name ?? id);
  if (kind === 'chat') return inbox.by.chat(name ?? id);
  if (kind === 'mail') return inbox.by.mail;
  if (kind === 'task_token') return inbox.by.page;
  if (kind === 'schedule') return inbox.by.schedule;
  if (kind === 'time_limit') return inbox.by.timeLimit;
  return kind === 'trigger' ? inbox.by.trigger : inbox.by.other;
}

function Outcome({ item }: { item: InboxItem }) {
  const { inbox } = useText();
  if (item.accept === undefined) return <Badge tone="good">{inbox.answered}</Badge>;
  const [accepted, declined] = textOf(inbox.outcomes, item.type);
  return <Badge tone={item.accept ? 'good' : 'plain'}>{item.accept ? accepted : declined}</Badge>;
}

function DecidedItem({ item }: { item: InboxItem }) {
  const { inbox } = useText();
  const accountId = useSession().data?.account.id;
  const decider = useDecider(item);
  const isDelegated = item.assignee !== undefined && item.assignee !== accountId;
  const members = useQuery({ ...membersQuery, enabled: isDelegated }).data;
  const assignee = members?.find(({ account_id: id }) => isDelegated && id === item.assignee)?.email;
  return (
    <ItemCard item={item}>
      {item.answer !== undefined && (
        <p className="mt-2 border-l-2 border-accent pl-3 wrap-anywhere whitespace-pre-wrap">{item.answer}</p>
      )}
      {item.note !== undefined && (
        <p className="mt-2 text-sm wrap-anywhere whitespace-pre-wrap text-soft">
          {inbox.note}: {item.note}
        </p>
      )}
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        <Outcome item={item} />
        <span>{inbox.decidedBy(decider)}</span>
        {assignee !== undefined && (
          <span>
            {inbox.assignee} {assignee}
          </span>
        )}
        {item.decided_at !== undefined && <Time ms={item.decided_at * 1000} />}
      </p>
    </ItemCard>
  );
}

/** What was decided, in the inbox or elsewhere: by whom, how, and why. */
export function DecidedItems({ type }: { type: InboxType | undefined }) {
  const { inbox } = useText();
  return (
    <ItemList status="decided" type={type} renderItem={(item) => <DecidedItem item={item} />}>
      <EmptyState icon={<CheckCheck aria-hidden />} title={type === undefined ? inbox.noneDecided : inbox.noneOfType}>
        {type === undefined ? inbox.noneDecidedBody : inbox.noneOfTypeBody}
      </EmptyState>
    </ItemList>
  );
}
