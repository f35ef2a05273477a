import type { InboxItem } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { clearing, errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { useTaskMembers } from '../api/settings-queries.ts';
import { taskQuery } from '../task/task-query.ts';
import { useText } from '../text/locale.ts';
import { Field } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { useAction } from '../ui/feedback/use-action.ts';

/** Chooses the member of the task's team who should decide an own item. Renders nothing for a task without a team. */
export function AssigneeSelect({ item }: { item: InboxItem }) {
  const { inbox } = useText();
  const session = useSession().data;
  const accountId = session?.account.id;
  const members = useTaskMembers(item.task_id);
  const hasTeam = members !== undefined;
  const assign = useAction(
    (account: string | null) => errand.inbox.assign(clearing<'inbox.assign'>({ id: item.id, account_id: account })),
    { changes: [keys.inbox] },
  );
  const isAssigned = item.assignee !== undefined;
  const task = useQuery({ ...taskQuery(item.task_id), enabled: hasTeam && isAssigned }).data;
  // Without an assignee of its own, an item goes to the assignee of its task.
  const isHandedOver = isAssigned && task?.assignee !== undefined;
  if (!hasTeam) return null;
  const options = [
    ...(isHandedOver ? [] : [{ value: '', label: inbox.nobody }]),
    ...members.map(({ account_id: value, email }) => ({ value, label: value === accountId ? inbox.you : email })),
  ];
  const choose = (value: string) => {
    const onSuccess = () => showToast(value === '' ? inbox.unassigned : inbox.assigned);
    assign.mutate(value || null, { onSuccess });
  };
  return (
    <Field label={inbox.assignee} className="sm:flex-row sm:items-center">
      {(control) => (
        <Select
          {...control}
          isQuiet
          className="max-w-full"
          value={item.assignee ?? ''}
          options={options}
          disabled={assign.isPending}
          onValueChange={choose}
        />
      )}
    </Field>
  );
}
