import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { createListener } from '../../store/webhooks/listeners.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';
import { checkUrl } from './webhook-registration.ts';

export const webhookListen = defineOperation('POST', 'webhook.listen', {
  summary: "Keeps the account's events for a receiver that Errand cannot reach; webhook.pull returns them.",
  details: [
    'For `errand listen`. It lasts 24 hours, or until webhook.delete with its id. An account can have five at a time; one that was not',
    'asked for its events for ten minutes gives way to a new one. It keeps up to 1000 events and 8 MB.',
  ].join(' '),
  access: 'account',
  hasSecret: true,
  request: z.object({
    url: requiredText('URL of the receiver, for example `http://localhost:3000/hook`. Errand never requests it.'),
  }),
  response: z.object({
    listener: z
      .object({
        id: z.string(),
        url: z.string(),
        secret: z.string().meta({ description: '`whsec_` and Base64: verifies `v1` of `webhook-signature`. Shown once.' }),
        expires_at: unixTime,
      })
      .meta({ id: 'WebhookListener' }),
  }),
  async handle({ url }, { principal, now, webhooks, write }) {
    checkUrl(url);
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalidField('url', 'must begin with http:// or https://');
    const webhookId = newId(now);
    const sealedSecret = webhooks.createSecret(webhookId);
    const expiresAtMs = await write(createListener, { accountId: principal.accountId, webhookId, url, sealedSecret });
    const secret = webhooks.openSecret(webhookId, sealedSecret);
    return { listener: { id: webhookId, url, secret, expires_at: toUnixTime(expiresAtMs) } };
  },
});
