import type { WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { MenuChoice, MenuSeparator } from '../ui/controls/menu.tsx';
import { useSwitchTeam } from './use-switch-team.ts';

type Session = WebResponse<'session.show'>;

/** The current team among all of the user, for a menu. */
export function TeamChoice({ session }: { session: Session }) {
  const { app } = useText();
  const change = useSwitchTeam();
  return (
    <>
      <MenuChoice
        label={app.team}
        value={session.team?.id ?? ''}
        options={session.teams.map(({ id, name }) => ({ value: id, label: name }))}
        onValueChange={(team) => change.mutate(team)}
      />
      <MenuSeparator />
    </>
  );
}
