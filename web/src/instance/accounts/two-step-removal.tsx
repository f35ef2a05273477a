import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import type { ManagedAccount } from '../../api/instance-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Section } from '../../ui/display/card.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

/** Turns two-step sign-in off for a user who is locked out. */
export function TwoStepRemoval({ account: { id, email } }: { account: Pick<ManagedAccount, 'id' | 'email'> }) {
  const { twoStep } = useText();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(() => errand.instance.removeTwoStep({ account_id: id }), {
    changes: [keys.instanceAccounts],
    onDone: () => showToast(twoStep.turnedOff),
  });
  return (
    <Section title={twoStep.title} lead={twoStep.removeLead}>
      <Button look="danger" onClick={() => setAsking(true)}>
        {twoStep.remove}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={twoStep.removeTitle(email)}
        confirmLabel={twoStep.turnOff}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {twoStep.removeBody}
      </ConfirmDialog>
    </Section>
  );
}
