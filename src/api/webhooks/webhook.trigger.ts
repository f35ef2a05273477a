import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { sampleEvent, sampleEventTypes } from '../../rules/webhooks/sample-event.ts';
import { listSignedWebhooks, type SignedWebhook } from '../../store/webhooks/webhooks.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkUrl } from './webhook-registration.ts';

const answerObject = z
  .object({
    webhook_id: z.string().nullable().meta({ description: 'Null for a URL that is not registered.' }),
    url: z.string(),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
    error: z.string().nullable().meta({ description: 'Why there was no response.' }),
    duration_ms: z.int(),
  })
  .meta({ id: 'SampleAnswer' });

interface Target extends Pick<SignedWebhook, 'url' | 'sealedSecrets'> {
  id: string | null;
}

function findTargets(webhooks: readonly SignedWebhook[], url: string | undefined): Target[] {
  if (url === undefined) {
    if (webhooks.length > 0) return [...webhooks];
    throw new Fault('failed_precondition', 'The account has no webhook; register one with webhook.create, or name a url.');
  }
  checkUrl(url);
  const registered = webhooks.filter((webhook) => webhook.url === url);
  return registered.length > 0 ? registered : [{ id: null, url, sealedSecrets: [] }];
}

export const webhookTrigger = defineOperation('POST', 'webhook.trigger', {
  summary: "Sends a sample event to each of the account's webhooks, or to one URL, and returns the answers.",
  details: [
    'The event is about a task that does not exist, and is signed like real ones; a URL that is not registered gets the signatures',
    'with public keys only. Each receiver has ten seconds. Nothing is repeated or recorded.',
  ].join(' '),
  access: 'account',
  request: z.object({
    event: z.enum(sampleEventTypes),
    url: optional(z.string()).meta({ description: 'Send it only there; default: to every webhook, active or not.' }),
  }),
  response: z.object({ data: z.array(answerObject) }),
  async handle({ event: type, url }, { principal, now, read, webhooks, urls, outwardSignal: signal }) {
    const targets = findTargets(await read(listSignedWebhooks, principal.accountId), url);
    const event = sampleEvent(type, newId(now), urls.page(''));
    const ask = async ({ id, ...target }: Target) => {
      const { status, error, durationMs } = await webhooks.sendOnce({ ...target, webhookId: id ?? '' }, event, signal);
      return { webhook_id: id, url: target.url, status, error, duration_ms: durationMs };
    };
    return { data: await Promise.all(targets.map(ask)) };
  },
});
