import type { Response as Reply } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { useFormat } from '../text/format.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import type { Column } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

type SecurityEvent = Reply<'instance.listEvents'>['data'][number];

/** The actor in words, because ids of credentials mean nothing to people. */
function nameActor(actor: string, sessionId: string | undefined, { instance, settings }: Texts): string {
  const [kind = '', id] = actor.split(':', 2);
  if (kind === 'session' && id === sessionId) return instance.actors.here;
  const names: Record<string, string> = { ...settings.actors, ...instance.actors };
  return Object.hasOwn(names, kind) ? (names[kind] ?? actor) : actor;
}

/** What was changed, each part with its name. */
function Detail({ detail }: { detail: SecurityEvent['detail'] }) {
  const { instance } = useText();
  const format = useFormat();
  const { account_id: accountId, ...others } = detail;
  const show = (name: string, value: string) =>
    name === 'max_bytes' && /^\d+$/.test(value) ? format.bytes(Number(value)) : value;
  return (
    <span className="text-soft">
      {Object.entries(others)
        .map(([name, value]) => `${instance.details[name] ?? name}: ${show(name, value)}`)
        .join(' · ')}{' '}
      {accountId !== undefined && (
        <Link to="/instance/accounts/$accountId" params={{ accountId }} className={linkClasses}>
          {instance.details['account_id']}
        </Link>
      )}
    </span>
  );
}

/** What was done to the instance and to its accounts, newest first. */
export function SecurityRecord() {
  const text = useText();
  const { instance, settings } = text;
  const sessionId = useSession().data?.session.id;
  const pages = usePages<SecurityEvent>([...keys.instance, 'record'], {
    fetchPage: (cursor, signal) => errand.instance.listEvents({ limit: 30, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  const columns: Column<SecurityEvent>[] = [
    {
      key: 'what',
      title: settings.what,
      render: ({ kind, detail }) => (
        <>
          {settings.events[kind]} <Detail detail={detail} />
        </>
      ),
    },
    { key: 'by', title: settings.by, kind: 'short', render: ({ actor }) => nameActor(actor, sessionId, text) },
    { key: 'when', title: settings.when, kind: 'short', render: ({ created_at: at }) => <Time ms={at * 1000} /> },
  ];
  return (
    <Section title={instance.record} lead={instance.recordLead}>
      <PagedTable
        pages={pages}
        caption={instance.record}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={instance.noRecord}>{instance.noRecordBody}</EmptyState>}
      />
    </Section>
  );
}
