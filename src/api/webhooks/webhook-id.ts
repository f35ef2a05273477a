import { isId } from '@errand/base/ids.ts';
import { type WebhookKey, webhookNotFound } from '../../store/webhooks/webhooks.ts';
import { requiredText } from '../contract/fields.ts';
import type { Context } from '../contract/operation.ts';

export const webhookId = requiredText('Identifier of the webhook.');

/** The key of the caller's webhook; 404 for an invalid id. */
export function keyOfWebhook(id: string, { principal }: Context): WebhookKey {
  if (!isId(id)) throw webhookNotFound();
  return { accountId: principal.accountId, webhookId: id };
}
