import type { Webhook } from '@errand/client';
import { useText } from '../text/locale.ts';
import { Badge } from '../ui/display/badge.tsx';

/** Whether a webhook is active. */
export function WebhookState({ webhook }: { webhook: Pick<Webhook, 'status'> }) {
  const { developers: text } = useText();
  return <Badge tone={webhook.status === 'active' ? 'good' : 'warn'}>{text.webhookStatus[webhook.status]}</Badge>;
}
