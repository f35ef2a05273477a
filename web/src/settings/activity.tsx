import { keys } from '../api/query-keys.ts';
import { usePages } from '../api/paging.ts';
import { useSession } from '../api/session.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import type { Texts } from '../text/en.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { Time } from '../ui/display/time.tsx';
import { PagedTable } from '../ui/display/paged-table.tsx';

type SecurityEvent = WebResponse<'audit.list'>['data'][number];

/** The actor in words. Ids of credentials mean nothing to people, so only their kind is shown. */
function nameActor(actor: string, sessionId: string | undefined, { settings }: Texts): string {
  const [kind = '', id] = actor.split(':', 2);
  if (kind === 'session' && id === sessionId) return settings.actors.here;
  return Object.hasOwn(settings.actors, kind) ? settings.actors[kind as keyof typeof settings.actors] : actor;
}

/** The names, emails and roles in an event. */
function describeDetail({ detail }: SecurityEvent, { team }: Texts): string {
  const { name, app, team: teamName, email, role, browser, from } = detail;
  const roleName = role === 'admin' || role === 'member' || role === 'owner' ? team.roles[role] : role;
  return [name, app, teamName, email, roleName, browser, from].filter(Boolean).join(' · ');
}

/** Security events of the account. */
export function Activity() {
  const text = useText();
  const { settings } = text;
  const sessionId = useSession().data?.session.id;
  const pages = usePages<SecurityEvent>(keys.activity, {
    fetchPage: (cursor, signal) => callWeb('audit.list', { limit: 20, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  const columns = [
    {
      key: 'what',
      title: settings.what,
      render: (event: SecurityEvent) => (
        <>
          {settings.events[event.kind]} <span className="text-soft">{describeDetail(event, text)}</span>
        </>
      ),
    },
    {
      key: 'by',
      title: settings.by,
      kind: 'short' as const,
      render: (event: SecurityEvent) => nameActor(event.actor, sessionId, text),
    },
    {
      key: 'when',
      title: settings.when,
      kind: 'short' as const,
      render: (event: SecurityEvent) => <Time ms={event.created_at * 1000} />,
    },
  ];
  return (
    <Section title={settings.activity} lead={settings.activityLead}>
      <PagedTable pages={pages} caption={settings.activity} columns={columns} keyOf={({ id }) => id} />
    </Section>
  );
}
