import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { MailX } from 'lucide-react';
import { isNotFound } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { useSession } from '../api/session.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { type Entered, enterTeam, useEnteredToast } from './enter-team.ts';

/** Joins the team, and makes it the current one if it should be. */
async function accept(token: string, isToEnter: boolean): Promise<Entered> {
  const { team_id: teamId, team } = await callWeb('team.accept', { token });
  return isToEnter ? enterTeam(teamId, team) : { team, isSwitchMissing: false };
}

/** The page behind an invite link. Opening it changes nothing: link scanners in e-mail must not use it up. */
export function AcceptInvitation() {
  const texts = useText();
  const { team: text } = texts;
  const current = useSession().data?.team;
  const say = useEnteredToast();
  const navigate = useNavigate();
  const { searchStr } = useLocation();
  const token = new URLSearchParams(searchStr).get('token') ?? '';
  const invitation = useQuery({
    queryKey: [...keys.team, 'invitation', token],
    queryFn: ({ signal }) => callWeb('team.invitation', { token }, { signal }),
  });
  const join = useAction((isToEnter: boolean) => accept(token, isToEnter), {
    // Everything may look different in another team.
    changes: [[]],
    // It may have been withdrawn since it was loaded.
    isQuiet: true,
    onFailed: () => void invitation.refetch(),
    onDone: (entered) => {
      say(entered, text.accepted(entered.team));
      void navigate({ to: '/team', replace: true });
    },
  });
  const isGone = isNotFound(invitation.error);
  return (
    <Page>
      <PageHeader title={text.acceptTitle} />
      {invitation.isPending && <Skeleton className="h-28" />}
      {invitation.error && !isGone && <ErrorState error={invitation.error} onRetry={invitation.refetch} />}
      {isGone && !join.isSuccess && (
        <EmptyState icon={<MailX aria-hidden />} title={text.invitationGone}>
          {text.invitationGoneBody}
        </EmptyState>
      )}
      {invitation.data && !isGone && (
        <Card className="flex flex-col items-start gap-4">
          <p>{text.acceptBody(invitation.data.team.name, text.rolesInText[invitation.data.role])}</p>
          {current && <p className="text-sm text-soft">{text.acceptSwitches(invitation.data.team.name, current.name)}</p>}
          <div className="flex flex-wrap gap-2">
            <Button look="primary" isBusy={join.isPending} onClick={() => join.mutate(true)}>
              {text.accept}
            </Button>
            {current && (
              <Button isWrapping disabled={join.isPending} onClick={() => join.mutate(false)}>
                {text.acceptAndStay(current.name)}
              </Button>
            )}
          </div>
          <FormProblem problem={sortProblem(join.error, [], texts).rest} />
        </Card>
      )}
    </Page>
  );
}
