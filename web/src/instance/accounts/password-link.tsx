import { useState } from 'react';
import { errand } from '../../api/errand.ts';
import type { ManagedAccount } from '../../api/instance-queries.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SecretDialog, type ShownSecret } from '../../ui/dialogs/secret-dialog.tsx';
import { Section } from '../../ui/display/card.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';

/** Makes a link, shown once, with which the user of an account sets a password. */
export function PasswordLink({ account: { id, email } }: { account: Pick<ManagedAccount, 'id' | 'email'> }) {
  const { passwordLinks: text } = useText();
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const make = useAction(() => errand.instance.createPasswordLink({ account_id: id }, { idempotencyKey: null }), {
    onDone: ({ url }) => setShown({ title: text.made(email), lead: text.shownOnce, secret: url }),
  });
  return (
    <Section title={text.title} lead={text.lead}>
      <Button isBusy={make.isPending} onClick={() => make.mutate(undefined)}>
        {text.make}
      </Button>
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </Section>
  );
}
