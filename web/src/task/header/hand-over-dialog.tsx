import type { Task } from '@errand/client';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useTaskMembers } from '../../api/settings-queries.ts';
import { useText } from '../../text/locale.ts';
import { Field } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useHandOver } from './use-hand-over.ts';

/** Chooses the member of the team who acts in a task from now on. */
export function HandOverDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const { people } = useText();
  const accountId = useSession().data?.account.id;
  const members = useTaskMembers(task.id) ?? [];
  const [member, setMember] = useState('');
  const handOver = useHandOver(task);
  const formId = `hand-over-${task.id}`;
  const hint = { team: undefined, private: people.sharesIt, public: people.endsLink }[task.share_visibility];
  const others = members.filter(({ account_id: id }) => id !== accountId && id !== task.assignee);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const email = others.find(({ account_id: id }) => id === member)?.email ?? '';
    const onSuccess = () => {
      showToast(people.handedOver(email));
      onClose();
    };
    handOver.mutate(member, { onSuccess });
  };
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={people.handOver}
      type="submit"
      form={formId}
      disabled={member === ''}
      isBusy={handOver.isPending}
    />
  );
  return (
    <Dialog isOpen onClose={onClose} title={people.handOverTitle} lead={people.handOverLead} actions={actions}>
      <form id={formId} onSubmit={submit}>
        <Field label={people.member} {...(hint !== undefined && { hint })}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={member}
              options={[
                { value: '', label: people.chooseMember },
                ...others.map(({ account_id: value, email: label }) => ({ value, label })),
              ]}
              onValueChange={setMember}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
