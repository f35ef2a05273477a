import { z } from 'zod';
import { invalidField } from '../base/fault.ts';
import { newId } from '../base/ids.ts';
import { checkWebhookCount, createWebhook, listWebhooks } from '../store/webhooks.ts';
import { requiredText } from './fields.ts';
import { defineOperation } from './operation.ts';
import { presentWebhook, webhookObject } from './webhook-object.ts';

const maxUrlLength = 2048;

/** What a parser of addresses would forgive. The address is kept and signed as it stands, so it has to stand as it is used. */
function checkUrl(url: string): void {
  if (url.length > maxUrlLength) throw invalidField('url', `must have at most ${maxUrlLength} characters`);
  if (/[\s\p{Cc}]/u.test(url)) throw invalidField('url', 'must not contain spaces or control characters');
  if (url.includes('#')) throw invalidField('url', 'must not contain a fragment');
}

export const webhookCreate = defineOperation({
  name: 'webhook.create',
  method: 'POST',
  summary: 'Registers an address for events of tasks, after a signed test message to it was answered with 2xx.',
  access: 'account',
  cost: 'write',
  request: z.object({ url: requiredText('HTTPS address that takes POST requests.') }),
  response: z.object({ webhook: webhookObject }),
  async handle({ url }, { principal, now, webhooks, read, write }) {
    checkUrl(url);
    checkWebhookCount((await read(listWebhooks, principal.accountId)).length);
    const problem = await webhooks.probe(url);
    if (problem !== null) throw invalidField('url', problem);
    const args = { accountId: principal.accountId, webhookId: newId(now), url, face: 'v2' as const, now };
    return { webhook: presentWebhook(await write(createWebhook, args)) };
  },
});
