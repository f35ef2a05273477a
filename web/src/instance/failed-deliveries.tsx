import type { Response as Reply } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import type { Column } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

type Delivery = Reply<'instance.listDeliveries'>['data'][number];

/** Webhook events of all accounts that could not be delivered. */
export function FailedDeliveries() {
  const { instance } = useText();
  const format = useFormat();
  const pages = usePages<Delivery>([...keys.instance, 'deliveries'], {
    fetchPage: (cursor, signal) =>
      errand.instance.listDeliveries({ limit: 30, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  const columns: Column<Delivery>[] = [
    {
      key: 'event',
      title: instance.event,
      render: ({ event_type: event }) => <span className="font-mono">{event}</span>,
    },
    {
      key: 'account',
      title: instance.account,
      render: ({ account_id: accountId, email }) => (
        <Link to="/instance/accounts/$accountId" params={{ accountId }} className={linkClasses}>
          {email}
        </Link>
      ),
    },
    { key: 'receiver', title: instance.receiver, render: ({ host }) => host },
    { key: 'response', title: instance.response, render: ({ last_status: status, last_error: error }) => status ?? error },
    {
      key: 'attempts',
      title: instance.attempts,
      kind: 'number',
      render: ({ attempt_count: count }) => format.number(count),
    },
    {
      key: 'when',
      title: instance.when,
      kind: 'short',
      render: ({ last_attempt_at: last, created_at: created }) => <Time ms={(last ?? created) * 1000} />,
    },
  ];
  return (
    <Section title={instance.deliveries} lead={instance.deliveriesLead}>
      <PagedTable
        pages={pages}
        caption={instance.deliveries}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={instance.noDeliveries}>{instance.noDeliveriesBody}</EmptyState>}
      />
    </Section>
  );
}
