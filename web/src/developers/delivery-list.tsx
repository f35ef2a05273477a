import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { usePages } from '../api/paging.ts';
import { callWeb, type WebRequest, type WebResponse } from '../api/web-call.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { Section } from '../ui/display/card.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Select } from '../ui/controls/select.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { Time } from '../ui/display/time.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

type Delivery = WebResponse<'webhook.deliveries'>['data'][number];
type Status = Delivery['status'];

const statuses: readonly Status[] = ['pending', 'delivered', 'failed', 'skipped'];
const tones = { pending: 'plain', delivered: 'good', failed: 'bad', skipped: 'warn' } as const;
const refreshMs = 5_000;

/** The last result: the status of the response, or that there was none. */
function describeAnswer({ attempts }: Delivery, { noResponseShort }: Texts['developers']) {
  const last = attempts.at(-1);
  return last && (last.status ?? noResponseShort);
}

function listColumns(text: Texts['developers'], onOpen: (id: string) => void) {
  return [
    {
      key: 'event',
      title: text.event,
      render: (delivery: Delivery) => (
        <button type="button" className={`text-left font-mono ${linkClasses}`} onClick={() => onOpen(delivery.id)}>
          {delivery.event_type}
        </button>
      ),
    },
    {
      key: 'status',
      title: text.status,
      render: (delivery: Delivery) => <Badge tone={tones[delivery.status]}>{text.deliveryStatus[delivery.status]}</Badge>,
    },
    {
      key: 'answer',
      title: text.response,
      kind: 'short' as const,
      render: (delivery: Delivery) => describeAnswer(delivery, text),
    },
    {
      key: 'created',
      title: text.created,
      kind: 'short' as const,
      render: (delivery: Delivery) => <Time ms={delivery.created_at * 1000} />,
    },
    { key: 'attempts', title: text.attempts, kind: 'number' as const, render: (delivery: Delivery) => delivery.attempt_count },
  ];
}

/** The deliveries of a webhook, newest first. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const { developers: text } = useText();
  const [status, setStatus] = useState<Status | 'all'>('all');
  const [openId, setOpenId] = useState<string | null>(null);
  const filter: WebRequest<'webhook.deliveries'> = { webhook_id: webhookId, limit: 30, ...(status !== 'all' && { status }) };
  const pages = usePages<Delivery>([...keys.deliveries(webhookId), status], {
    fetchPage: (cursor, signal) =>
      callWeb('webhook.deliveries', { ...filter, ...(cursor !== undefined && { cursor }) }, { signal }),
    refetchInterval: refreshMs,
  });
  const columns = listColumns(text, setOpenId);
  const options = (['all', ...statuses] as const).map((value) => ({
    value,
    label: value === 'all' ? text.allDeliveries : text.deliveryStatus[value],
  }));
  const choice = (
    <Select<Status | 'all'>
      isQuiet
      className="max-sm:-ml-2.5 sm:-mr-2.5"
      aria-label={text.status}
      value={status}
      options={options}
      onValueChange={setStatus}
    />
  );
  return (
    <Section title={text.deliveries} lead={text.deliveriesLead} actions={choice}>
      <PagedTable
        pages={pages}
        empty={
          <EmptyState icon={<Inbox aria-hidden />} title={status === 'all' ? text.noDeliveries : text.noneOfStatus}>
            {status === 'all' ? text.noDeliveriesBody : text.noneOfStatusBody}
          </EmptyState>
        }
        caption={text.deliveries}
        columns={columns}
        keyOf={({ id }) => id}
      />
      {openId !== null && <DeliveryDialog deliveryId={openId} webhookId={webhookId} onClose={() => setOpenId(null)} />}
    </Section>
  );
}
