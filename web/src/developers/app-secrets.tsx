import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card, Section } from '../ui/display/card.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { Table } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';

type Shown = WebResponse<'app.show'>;
type Secret = Shown['secrets'][number];

const mostSecrets = 5;

/** The client secrets of an app. */
export function AppSecrets({ app, secrets }: Pick<Shown, 'app' | 'secrets'>) {
  const { developers: text } = useText();
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const { client_id: clientId } = app;
  const add = useAction(() => callWeb('app.addSecret', { client_id: clientId }), {
    changes: [keys.apps],
    onDone: ({ client_secret: secret }) => setShown({ title: text.secretMade, lead: text.shownOnce, secret }),
  });
  const revocation = useRemoval(({ id }: Secret) => callWeb('app.revokeSecret', { client_id: clientId, secret_id: id }), {
    changes: [keys.apps],
    describeDone: () => text.secretRevoked,
  });
  const columns = [
    { key: 'secret', title: text.secret, render: (secret: Secret) => <code className="font-mono">…{secret.tail}</code> },
    { key: 'created', title: text.created, render: (secret: Secret) => <Time ms={secret.created_at * 1000} /> },
    {
      key: 'actions',
      title: text.actions,
      kind: 'action' as const,
      render: (secret: Secret) => (
        <RowAction label={text.revoke} name={`…${secret.tail}`} onClick={() => revocation.ask(secret)} />
      ),
    },
  ];
  const addButton = !app.public_client && secrets.length < mostSecrets && (
    <Button size="small" isBusy={add.isPending} onClick={() => add.mutate(undefined)}>
      {text.newSecret}
    </Button>
  );
  return (
    <Section title={text.secrets} {...(!app.public_client && { lead: text.secretsLead })} actions={addButton}>
      {secrets.length > 0 ? (
        <Table caption={text.secrets} columns={columns} rows={secrets} keyOf={({ id }) => id} />
      ) : (
        <Card className="text-sm text-soft">{app.public_client ? text.noSecretsPublic : text.noSecrets}</Card>
      )}
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
      <RemovalDialog removal={revocation} titleOf={({ tail }) => text.revokeSecretTitle(tail)} confirmLabel={text.revoke}>
        {text.revokeSecretBody}
      </RemovalDialog>
    </Section>
  );
}
