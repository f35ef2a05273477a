import type { Webhook } from '@errand/client';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';

/** Replaces the secret of a webhook and shows the new one once. */
export function WebhookSecret({ webhook: { id } }: { webhook: Pick<Webhook, 'id'> }) {
  const { developers: text } = useText();
  const [isAsked, setAsked] = useState(false);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const rotate = useAction(() => errand.webhook.rotateSecret({ webhook_id: id }), {
    isQuiet: true,
    onDone: ({ webhook: { secret } }) => setShown({ title: text.secretRotated, lead: text.webhookSecretLead, secret }),
  });
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        {text.rotateSecret}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={text.rotateSecretTitle}
        confirmLabel={text.rotateSecret}
        onConfirm={() => rotate.mutateAsync(undefined)}
      >
        {text.rotateSecretBody}
      </ConfirmDialog>
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}
