import type { Task } from '@errand/client';
import { Undo2, UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { MenuItem } from '../../ui/controls/menu.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { useHandOver } from './use-hand-over.ts';

/** What the owner of a task, and whom it is handed over to, can do about that: items of a menu, and the dialog of one of them. */
export function useHandOverItems(task: Task, isOwner: boolean) {
  const { people } = useText();
  const session = useSession().data;
  const [isOpen, setOpen] = useState(false);
  const handOver = useHandOver(task);
  const isHandedOver = task.assignee !== undefined;
  const isAssignee = task.assignee !== undefined && task.assignee === session?.account.id;
  const end = () => {
    const onSuccess = () => showToast(isOwner ? people.takenBack : people.givenBack);
    handOver.mutate(null, { onSuccess });
  };
  const items = (
    <>
      {isOwner && session !== undefined && session.teams.length > 0 && (
        <MenuItem icon={<UserRoundCheck />} onSelect={() => setOpen(true)}>
          {people.handOver}
        </MenuItem>
      )}
      {((isOwner && isHandedOver) || isAssignee) && (
        <MenuItem icon={<Undo2 />} onSelect={end}>
          {isOwner ? people.takeBack : people.giveBack}
        </MenuItem>
      )}
    </>
  );
  return { items, dialog: isOpen && <HandOverDialog task={task} onClose={() => setOpen(false)} /> };
}
