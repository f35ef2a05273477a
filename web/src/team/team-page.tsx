import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { membersQuery } from '../api/settings-queries.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { AcceptInvitation } from './accept-invitation.tsx';
import { CreateTeam } from './create-team.tsx';
import { InvitationList } from './invitation-list.tsx';
import { MemberList } from './member-list.tsx';

/** The account's team: members and invitations. */
export function TeamPage() {
  const { team: text } = useText();
  const { pathname } = useLocation();
  const team = useSession().data?.team;
  // Sections below the members render after them, to avoid layout shifts.
  const isKnown = useQuery({ ...membersQuery, enabled: team !== null && team !== undefined }).isFetched;
  if (pathname === '/team/accept') return <AcceptInvitation />;
  return (
    <Page>
      <PageHeader title={text.title} {...(team && { lead: text.lead(team.name, text.rolesInText[team.role]) })} />
      {team ? <MemberList team={team} /> : <CreateTeam />}
      {team && team.role !== 'member' && isKnown && <InvitationList />}
    </Page>
  );
}
