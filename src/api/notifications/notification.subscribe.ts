import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { sealedPlaces } from '../../rules/instance/sealed-places.ts';
import { readPushKeys } from '../../rules/notifications/push-message.ts';
import { subscribeBrowser } from '../../store/notifications/push-subscriptions.ts';
import { sessionIdOf } from '../accounts/session-id.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';

const maxEndpointLength = 1024;

/** What the store keeps; whether its address may be called is decided by each request to it. */
function checkEndpoint(endpoint: string): void {
  const url = URL.parse(endpoint);
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
  if (!isUsable || endpoint.length > maxEndpointLength) {
    throw invalidField('endpoint', `must be the URL of a push service with at most ${maxEndpointLength} characters`);
  }
}

export const notificationSubscribe = defineOperation('POST', 'notification.subscribe', {
  summary: 'Notifies this browser by its push service until it is signed out, at most 20 browsers of an account.',
  access: 'browser',
  hasSecret: true,
  request: z.object({
    endpoint: requiredText('The URL of the subscription.'),
    keys: z.object({
      p256dh: requiredText('Public key of the browser, in Base64url.'),
      auth: requiredText('Secret of the subscription, in Base64url.'),
    }),
  }),
  response: z.object({ subscribed: z.literal(true) }),
  async handle({ endpoint, keys }, { principal, now, write, seal }) {
    checkEndpoint(endpoint);
    if (readPushKeys(keys) === null) throw invalidField('keys', 'are not the keys of a push subscription');
    if (!seal) throw new Fault('failed_precondition', 'This process cannot push: its ERRAND_SECRET is not that of the others.');
    const id = newId(now);
    const target = seal.seal(JSON.stringify({ endpoint, ...keys }), sealedPlaces.pushTarget(id));
    const place = { accountId: principal.accountId, sessionId: sessionIdOf(principal) };
    await write(subscribeBrowser, { ...place, id, endpointDigest: digestSecret(endpoint), target, now });
    return { subscribed: true as const };
  },
});
