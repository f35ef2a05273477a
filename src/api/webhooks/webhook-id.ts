import { isId } from '@errand/base/ids.ts';
import { type WebhookKey, webhookNotFound } from '../../store/webhooks/webhooks.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

export const webhookId = requiredText('Identifier of the webhook.');

/** Where the caller's webhook is kept; what is not an id answers as a webhook that does not exist. */
export function keyOfWebhook(id: string, { principal }: Context): WebhookKey {
  if (!isId(id)) throw webhookNotFound();
  return { accountId: principal.accountId, webhookId: id };
}
