import { invalidField } from '@errand/base/fault.ts';
import { isId, newId } from '@errand/base/ids.ts';
import type { ApiVersion } from '../../rules/webhooks/webhook-body.ts';
import { appNotFound } from '../../store/oauth/oauth-apps.ts';
import { checkWebhookCount, createWebhook, listWebhooks, type SecretWebhook } from '../../store/webhooks/webhooks.ts';
import type { Context } from '../contract/operation.ts';

const maxUrlLength = 2048;

/** Rejects what URL parsers tolerate: the URL is stored, signed and used unchanged. */
export function checkUrl(url: string): void {
  if (url.length > maxUrlLength) throw invalidField('url', `must have at most ${maxUrlLength} characters`);
  if (/[\s\p{Cc}]/u.test(url)) throw invalidField('url', 'must not contain spaces or control characters');
  if (url.includes('#')) throw invalidField('url', 'must not contain a fragment');
}

export interface Registration {
  url: string;
  /** Determines which events it receives, and in which format. */
  apiVersion: ApiVersion;
  oauthClientId: string | null;
}

/** Stores a webhook once its URL has answered a signed test message with 2xx (docs/reference/choices.md#webhooks). */
export async function registerWebhook(
  { url, apiVersion, oauthClientId }: Registration,
  context: Context,
): Promise<SecretWebhook> {
  const { principal, now, webhooks, urls, read, write, outwardSignal: signal } = context;
  checkUrl(url);
  if (oauthClientId !== null && !isId(oauthClientId)) throw appNotFound();
  checkWebhookCount((await read(listWebhooks, principal.accountId)).length);
  const webhookId = newId(now);
  const sealedSecret = webhooks.createSecret(webhookId);
  const problem = await webhooks.probe({ webhookId, url, sealedSecrets: [sealedSecret] }, urls.page(''), signal);
  if (problem !== null) throw invalidField('url', problem);
  const { accountId } = principal;
  return write(createWebhook, { accountId, webhookId, url, apiVersion, oauthClientId, sealedSecret, now });
}
