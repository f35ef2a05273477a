import type { Schedule } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { StatusSwitch } from '../automation/status-switch.tsx';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

/** Pauses and resumes a schedule. One that has ended only says so. */
export function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const { schedules } = useText();
  const { id, name, status } = schedule;
  const change = useAction((isOn: boolean) => errand.schedule.update({ schedule_id: id, status: isOn ? 'active' : 'paused' }), {
    changes: [keys.schedules],
    onDone: ({ schedule: changed }) => showToast(changed.status === 'active' ? schedules.resumed(name) : schedules.paused(name)),
  });
  if (status === 'ended') return <Badge>{schedules.statuses.ended}</Badge>;
  return (
    <StatusSwitch
      name={name}
      label={schedules.statuses[status]}
      isActive={status === 'active'}
      isBusy={change.isPending}
      onChange={(isOn) => change.mutate(isOn)}
    />
  );
}
