import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import type { ManagedAccount } from '../../api/instance-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

/** Deletes an account once its address has been typed. */
function DeleteDialog({ account, onClose }: { account: ManagedAccount; onClose(): void }) {
  const { instance } = useText();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const remove = useAction(() => errand.instance.deleteAccount({ account_id: account.id }), {
    changes: [keys.instanceAccounts],
    onDone: () => {
      showToast(instance.removed);
      void navigate({ to: '/instance/accounts' });
    },
  });
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={instance.remove}
      look="danger"
      isBusy={remove.isPending}
      disabled={typed.trim().toLowerCase() !== account.email}
      onClick={() => remove.mutate(undefined)}
    />
  );
  return (
    <Dialog isOpen onClose={onClose} title={instance.removeTitle(account.email)} lead={instance.removeBody} actions={actions}>
      <TextField
        label={instance.confirmEmail(account.email)}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Dialog>
  );
}

/** Takes an account with everything of it along, disables it, or deletes it. */
export function AccountRemoval({ account, isYours }: { account: ManagedAccount; isYours: boolean }) {
  const { instance } = useText();
  const { id, email, status } = account;
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null);
  const changes = [keys.instanceAccounts];
  const download = useAction(() => errand.instance.exportAccount({ account_id: id }, { idempotencyKey: null }), {
    onDone: ({ url }) => window.location.assign(url),
  });
  const change = useAction((to: 'active' | 'disabled') => errand.instance.updateAccount({ account_id: id, status: to }), {
    changes,
    isQuiet: true,
    onDone: ({ account: { status: now } }) => showToast(now === 'active' ? instance.enabled : instance.disabled),
  });
  return (
    <Section title={instance.danger} {...(isYours && { lead: instance.isYours })}>
      <Card className="flex flex-col gap-4">
        <div>
          <Button isBusy={download.isPending} onClick={() => download.mutate(undefined)}>
            {instance.exporting}
          </Button>
          <p className="mt-1.5 text-sm text-soft">{instance.exportHint}</p>
        </div>
        {!isYours && (
          <div className="flex flex-wrap gap-2">
            {status === 'active' ? (
              <Button onClick={() => setAsked('disable')}>{instance.disable}</Button>
            ) : (
              <Button isBusy={change.isPending} onClick={() => change.mutate('active')}>
                {instance.enable}
              </Button>
            )}
            <Button look="danger" onClick={() => setAsked('delete')}>
              {instance.remove}
            </Button>
          </div>
        )}
      </Card>
      <ConfirmDialog
        isOpen={asked === 'disable'}
        onClose={() => setAsked(null)}
        title={instance.disableTitle(email)}
        confirmLabel={instance.disable}
        isDangerous
        onConfirm={() => change.mutateAsync('disabled')}
      >
        {instance.disableBody}
      </ConfirmDialog>
      {asked === 'delete' && <DeleteDialog account={account} onClose={() => setAsked(null)} />}
    </Section>
  );
}
