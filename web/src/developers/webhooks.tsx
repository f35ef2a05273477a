import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '@errand/client';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { webhooksQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { useText } from '../text/locale.ts';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { Table } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { NameForm } from './name-form.tsx';
import { WebhookState } from './webhook-state.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';

/** URLs that are notified of the account's tasks. */
export function Webhooks() {
  const { developers: text } = useText();
  const list = useQuery(webhooksQuery);
  const [shown, setShown] = useState<ShownSecret | null>(null);
  const create = useAction((url: string) => errand.webhook.create({ url }), {
    changes: [keys.webhooks],
    isQuiet: true,
    onDone: ({ webhook: { secret } }) => setShown({ title: text.webhookMade, lead: text.webhookSecretLead, secret }),
  });
  const columns = [
    {
      key: 'url',
      title: text.url,
      render: ({ id, url }: Webhook) => (
        <Link to="/developers/webhooks/$webhookId" params={{ webhookId: id }} className={linkClasses}>
          {url}
        </Link>
      ),
    },
    { key: 'status', title: text.status, render: (webhook: Webhook) => <WebhookState webhook={webhook} /> },
    { key: 'created', title: text.created, render: (webhook: Webhook) => <Time ms={webhook.created_at * 1000} /> },
  ];
  return (
    <>
      <p className="mb-4 text-soft">{text.webhooksLead}</p>
      <NameForm
        field="url"
        placeholder="https://hooks.example.com/errand"
        label={text.url}
        hint={text.urlHint}
        submitLabel={text.createWebhook}
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(url) => create.mutateAsync(url)}
      />
      <ListState list={list}>
        <EmptyState icon={<WebhookIcon aria-hidden />} title={text.noWebhooks}>
          {text.noWebhooksBody}
        </EmptyState>
      </ListState>
      {list.data !== undefined && list.data.length > 0 && (
        <Table caption={text.webhooks} columns={columns} rows={list.data} keyOf={({ id }) => id} />
      )}
      <SecretDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}
