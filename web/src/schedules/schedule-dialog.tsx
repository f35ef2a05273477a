import type { Schedule } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { type ScheduleForm as Form, toNewSchedule, toScheduleChange } from './schedule-request.ts';

const formId = 'schedule';

interface ScheduleDialogProps {
  /** Null for a new schedule. */
  schedule: Schedule | null;
  onClose(): void;
  onSaved?(schedule: Schedule): void;
}

/** Makes or changes a schedule. */
export function ScheduleDialog({ schedule, onClose, onSaved }: ScheduleDialogProps) {
  const { schedules, ui } = useText();
  const save = useAction(
    (form: Form) =>
      schedule === null ? errand.schedule.create(toNewSchedule(form)) : errand.schedule.update(toScheduleChange(form, schedule)),
    {
      changes: [keys.schedules],
      isQuiet: true,
      onDone: ({ schedule: saved }) => {
        showToast(schedule === null ? schedules.created : schedules.saved);
        onClose();
        onSaved?.(saved);
      },
    },
  );
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={schedule === null ? schedules.create : ui.save}
      type="submit"
      form={formId}
      isBusy={save.isPending}
    />
  );
  const title = schedule === null ? schedules.new : schedule.name;
  return (
    <Dialog isOpen onClose={onClose} title={title} actions={actions} isWide guardsInput>
      <ScheduleForm formId={formId} schedule={schedule} error={save.error} onSubmit={(form) => save.mutate(form)} />
    </Dialog>
  );
}
