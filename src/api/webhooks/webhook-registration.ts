import { invalidField } from '@errand/base/fault.ts';
import { isId, newId } from '@errand/base/ids.ts';
import type { ApiVersion } from '../../rules/webhooks/webhook-body.ts';
import { appNotFound } from '../../store/oauth/oauth-apps.ts';
import { checkWebhookCount, createWebhook, listWebhooks, type Webhook } from '../../store/webhooks/webhooks.ts';
import type { Context } from '../contract/operation.ts';

const maxUrlLength = 2048;

/** Rejects what URL parsers tolerate: the URL is stored, signed and used unchanged. */
function checkUrl(url: string): void {
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
export async function registerWebhook({ url, apiVersion, oauthClientId }: Registration, context: Context): Promise<Webhook> {
  const { principal, now, webhooks, urls, read, write } = context;
  checkUrl(url);
  if (oauthClientId !== null && !isId(oauthClientId)) throw appNotFound();
  checkWebhookCount((await read(listWebhooks, principal.accountId)).length);
  const problem = await webhooks.probe(url, urls.page(''));
  if (problem !== null) throw invalidField('url', problem);
  return write(createWebhook, { accountId: principal.accountId, webhookId: newId(now), url, apiVersion, oauthClientId, now });
}
