import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { showToast } from '../ui/feedback/toast.tsx';

/** A team that was created or joined a moment ago. */
export interface Entered {
  team: string;
  /** Whether it should have become the current one and did not. */
  isSwitchMissing: boolean;
}

/**
 * Makes a new team of the user the current one. The team is there whether that works or not, so a failure is no reason to try all again: the
 * invitation is used up, and a second team of the same name would be created.
 */
export async function enterTeam(teamId: string, team: string): Promise<Entered> {
  const isSwitchMissing = await callWeb('team.switch', { team: teamId }).then(
    () => false,
    () => true,
  );
  return { team, isSwitchMissing };
}

/** Says that a team was created or joined, and how to switch to it if that is left. */
export function useEnteredToast() {
  const { team: text } = useText();
  return ({ team, isSwitchMissing }: Entered, done: string) =>
    showToast(isSwitchMissing ? `${done} ${text.notSwitched(team)}` : done);
}
