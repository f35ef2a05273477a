import type { TriggerEvent } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import type { usePages } from '../api/paging.ts';
import type { Texts } from '../text/en.ts';
import { type Format, useFormat } from '../text/format.ts';
import { useText } from '../text/locale.ts';
import { RowAction } from '../ui/controls/row-action.tsx';
import { Badge } from '../ui/display/badge.tsx';
import { Section } from '../ui/display/card.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

const tones = { started: 'good', duplicate: 'plain', filtered: 'plain', refused: 'warn', failed: 'bad' } as const;

function listColumns(text: Texts['triggers'], format: Format, onOpen: (event: TriggerEvent) => void) {
  const nameOf = ({ created_at: at }: TriggerEvent) => format.dateTime(at * 1000);
  return [
    { key: 'received', title: text.received, render: (event: TriggerEvent) => <Time ms={event.created_at * 1000} /> },
    {
      key: 'outcome',
      title: text.outcome,
      render: ({ outcome, error }: TriggerEvent) => (
        <>
          <Badge tone={tones[outcome]}>{text.outcomes[outcome]}</Badge>
          {error !== undefined && <p className="mt-1 text-soft">{error}</p>}
        </>
      ),
    },
    { key: 'cause', title: text.cause, kind: 'short' as const, render: ({ cause }: TriggerEvent) => text.causes[cause] },
    {
      key: 'task',
      title: text.task,
      kind: 'short' as const,
      render: (event: TriggerEvent) =>
        event.task_id !== undefined && (
          <Link
            to="/app/$taskId"
            params={{ taskId: event.task_id }}
            className={linkClasses}
            aria-label={`${text.openTask}: ${nameOf(event)}`}
          >
            {text.openTask}
          </Link>
        ),
    },
    {
      key: 'actions',
      title: text.actions,
      kind: 'action' as const,
      render: (event: TriggerEvent) => <RowAction label={text.show} name={nameOf(event)} onClick={() => onOpen(event)} />,
    },
  ];
}

interface TriggerDeliveriesProps {
  triggerId: string;
  pages: ReturnType<typeof usePages<TriggerEvent>>;
}

/** What a trigger was sent, newest first. */
export function TriggerDeliveries({ triggerId, pages }: TriggerDeliveriesProps) {
  const { triggers } = useText();
  const format = useFormat();
  const [openId, setOpenId] = useState<string | null>(null);
  const open = pages.items.find(({ id }) => id === openId);
  return (
    <Section title={triggers.deliveries} lead={triggers.deliveriesLead}>
      <PagedTable
        pages={pages}
        empty={
          <EmptyState icon={<Inbox aria-hidden />} title={triggers.noDeliveries}>
            {triggers.noDeliveriesBody}
          </EmptyState>
        }
        caption={triggers.deliveries}
        columns={listColumns(triggers, format, ({ id }) => setOpenId(id))}
        keyOf={({ id }) => id}
      />
      {open && <DeliveryDialog triggerId={triggerId} event={open} onClose={() => setOpenId(null)} />}
    </Section>
  );
}
