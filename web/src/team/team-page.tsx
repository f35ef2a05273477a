import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { membersOf } from '../api/settings-queries.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import { CreateTeam } from './create-team.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberList } from './member-list.tsx';
import { TeamList } from './team-list.tsx';

/** The account's current team, with members and invitations, and all its teams. */
export function TeamPage() {
  const { team: text } = useText();
  const { pathname } = useLocation();
  const session = useSession().data;
  const team = session?.team;
  // Sections below the members render after them, to avoid layout shifts.
  const isKnown = useQuery({ ...membersOf(team?.id ?? ''), enabled: team !== null && team !== undefined }).isFetched;
  if (pathname === '/team/accept') return <AcceptInvitation />;
  return (
    <Page>
      <PageHeader title={text.title} {...(team && { lead: text.lead(team.name, text.rolesInText[team.role]) })} />
      {team && <MemberList team={team} />}
      {team && team.role !== 'member' && isKnown && <InvitationList team={team.id} />}
      {session?.teams.length === 0 && <CreateTeam />}
      {session !== undefined && session.teams.length > 0 && (isKnown || !team) && <TeamList teams={session.teams} />}
    </Page>
  );
}
