import type { Trigger } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { StatusSwitch } from '../automation/status-switch.tsx';
import { useText } from '../text/locale.ts';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

/** Pauses and resumes a trigger. */
export function TriggerSwitch({ trigger }: { trigger: Trigger }) {
  const { triggers } = useText();
  const { id, name, status } = trigger;
  const change = useAction((isOn: boolean) => errand.trigger.update({ trigger_id: id, status: isOn ? 'active' : 'paused' }), {
    changes: [keys.triggers],
    onDone: ({ trigger: changed }) => showToast(changed.status === 'active' ? triggers.resumed(name) : triggers.paused(name)),
  });
  return (
    <StatusSwitch
      name={name}
      label={triggers.statuses[status]}
      isActive={status === 'active'}
      isBusy={change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  );
}
