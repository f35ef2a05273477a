import type { Trigger, TriggerEvent } from '@errand/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { shownSecretOf } from './shown-trigger-secret.ts';
import { TriggerDialog } from './trigger-dialog.tsx';
import { TryDialog } from './try-dialog.tsx';

interface TriggerActionsProps {
  trigger: Trigger;
  /** The last delivery whose body is known. */
  delivery: TriggerEvent | undefined;
}

type Open = 'try' | 'edit' | 'secret' | 'url' | 'delete' | null;

/** Replaces what has leaked, after confirmation. */
function Rotations({ trigger, open, onClose, onSecret }: RotationsProps) {
  const text = useText();
  const { triggers } = text;
  const place = trigger.type === 'folder' || trigger.type === 'bucket' ? null : triggers.places[trigger.type];
  const client = useQueryClient();
  const rotate = async (what: 'rotate_secret' | 'rotate_url') => {
    const answer = await errand.trigger.update({ trigger_id: trigger.id, [what]: true });
    await client.invalidateQueries({ queryKey: keys.triggers });
    if (what === 'rotate_url') showToast(place?.rotated ?? '');
    else onSecret(shownSecretOf(answer.trigger, triggers.secretTitle, text));
  };
  return (
    <>
      <ConfirmDialog
        isOpen={open === 'secret'}
        onClose={onClose}
        title={triggers.rotateSecretTitle}
        confirmLabel={triggers.replace}
        isDangerous
        onConfirm={() => rotate('rotate_secret')}
      >
        {triggers.rotateSecretBody}
      </ConfirmDialog>
      {place !== null && (
        <ConfirmDialog
          isOpen={open === 'url'}
          onClose={onClose}
          title={place.rotateTitle}
          confirmLabel={triggers.replace}
          isDangerous
          onConfirm={() => rotate('rotate_url')}
        >
          {place.rotateBody}
        </ConfirmDialog>
      )}
    </>
  );
}

interface RotationsProps {
  trigger: Trigger;
  open: Open;
  onClose(): void;
  onSecret(secret: ShownSecret | null): void;
}

function Removal({ trigger, isOpen, onClose }: { trigger: Trigger; isOpen: boolean; onClose(): void }) {
  const { triggers, ui } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await errand.trigger.delete({ trigger_id: trigger.id });
    showToast(triggers.deleted);
    // Only after leaving: here it would be missing.
    void navigate({ to: '/triggers' }).then(() => client.invalidateQueries({ queryKey: keys.triggers }));
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={triggers.deleteTitle(trigger.name)}
      confirmLabel={ui.delete}
      isDangerous
      onConfirm={remove}
    >
      {triggers.deleteBody}
    </ConfirmDialog>
  );
}

/** What can be done with a trigger. */
export function TriggerActions({ trigger, delivery }: TriggerActionsProps) {
  const text = useText();
  const { triggers, ui } = text;
  const [open, setOpen] = useState<Open>(null);
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const close = () => setOpen(null);
  const finish = (saved: Trigger) => {
    close();
    setSecret(shownSecretOf(saved, triggers.secretTitle, text));
    showToast(triggers.saved);
  };
  // Stripe makes its own; it is entered in the form.
  const hasOwnSecret = trigger.verification.type !== 'none' && trigger.verification.type !== 'stripe';
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <Button size="small" onClick={() => setOpen('try')}>
        {triggers.try}
      </Button>
      <Button size="small" onClick={() => setOpen('edit')}>
        {triggers.edit}
      </Button>
      {hasOwnSecret && (
        <Button size="small" onClick={() => setOpen('secret')}>
          {triggers.rotateSecret}
        </Button>
      )}
      {trigger.type !== 'folder' && trigger.type !== 'bucket' && (
        <Button size="small" onClick={() => setOpen('url')}>
          {triggers.places[trigger.type].rotate}
        </Button>
      )}
      <Button size="small" look="danger" onClick={() => setOpen('delete')}>
        {ui.delete}
      </Button>
      {open === 'try' && <TryDialog trigger={trigger} body={delivery?.body ?? ''} onClose={close} />}
      {open === 'edit' && <TriggerDialog trigger={trigger} delivery={delivery} onClose={close} onSaved={finish} />}
      <Rotations trigger={trigger} open={open} onClose={close} onSecret={setSecret} />
      <Removal trigger={trigger} isOpen={open === 'delete'} onClose={close} />
      <SecretDialog shown={secret} onClose={() => setSecret(null)} />
    </div>
  );
}
