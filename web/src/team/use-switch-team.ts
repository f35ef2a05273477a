import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

/** Makes another team of the user the current one, and says so. */
export function useSwitchTeam() {
  const { team: text } = useText();
  return useAction((team: string) => callWeb('team.switch', { team }), {
    // Everything may look different in another team.
    changes: [[]],
    onDone: ({ team }) => showToast(text.switched(team)),
  });
}
