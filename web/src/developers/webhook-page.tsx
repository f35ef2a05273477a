import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@errand/client';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { webhooksQuery } from '../api/settings-queries.ts';
import { useAction } from '../ui/feedback/use-action.ts';
import { callWeb } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { BackLink } from '../ui/display/back-link.tsx';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookState } from './webhook-state.tsx';

const refreshMs = 5_000;

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { developers: text } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { id, url } = webhook;
  const enable = useAction(() => callWeb('webhook.enable', { webhook_id: id }), {
    changes: [keys.webhooks],
    onDone: () => showToast(text.enabled),
  });
  const resend = useAction(() => callWeb('webhook.resend', { webhook_id: id }), {
    changes: [keys.deliveries(id)],
    onDone: ({ resent }) => showToast(text.resent(resent)),
  });
  const remove = useAction(() => errand.webhook.delete({ webhook_id: id }), {
    isQuiet: true,
    onDone: () => {
      showToast(text.webhookDeleted);
      // Only after leaving: here it would be missing.
      void navigate({ to: '/developers/webhooks' }).then(() => client.invalidateQueries({ queryKey: keys.webhooks }));
    },
  });
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {webhook.status === 'inactive' && (
        <Button size="small" look="primary" isBusy={enable.isPending} onClick={() => enable.mutate(undefined)}>
          {text.enable}
        </Button>
      )}
      <Button size="small" isBusy={resend.isPending} onClick={() => resend.mutate(undefined)}>
        {text.resendMissed}
      </Button>
      <WebhookSecret webhook={webhook} />
      <Button size="small" look="danger" onClick={() => setAsked(true)}>
        {text.deleteWebhook}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={text.deleteWebhookTitle}
        confirmLabel={text.deleteWebhook}
        isDangerous
        onConfirm={() => remove.mutateAsync(undefined)}
      >
        {text.deleteWebhookBody(url)}
      </ConfirmDialog>
    </div>
  );
}

/** One webhook and its deliveries. */
export function WebhookPage({ webhookId }: { webhookId: string }) {
  const text = useText();
  // The service may disable it at any time.
  const list = useQuery({ ...webhooksQuery, refetchInterval: refreshMs });
  const webhook = list.data?.find(({ id }) => id === webhookId);
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <SkeletonList />;
  if (!webhook)
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={text.app.notFoundTitle}>
        {text.app.notFoundBody}
      </EmptyState>
    );
  return (
    <>
      <header className="mb-10">
        <BackLink to="/developers/webhooks">{text.developers.webhooks}</BackLink>
        <h2 className="text-lg font-semibold wrap-anywhere">{webhook.url}</h2>
        <p className="mt-1 text-sm text-soft">
          <WebhookState webhook={webhook} /> {webhook.status === 'inactive' && text.developers.inactiveHint}
        </p>
        <WebhookActions webhook={webhook} />
      </header>
      <DeliveryList webhookId={webhookId} />
    </>
  );
}
