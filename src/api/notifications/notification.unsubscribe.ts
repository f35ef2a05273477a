import { z } from 'zod';
import { unsubscribeBrowser } from '../../store/notifications/push-subscriptions.ts';
import { sessionIdOf } from '../accounts/session-id.ts';
import { defineOperation } from '../contract/operation.ts';

export const notificationUnsubscribe = defineOperation('POST', 'notification.unsubscribe', {
  summary: 'Notifies this browser no longer.',
  access: 'browser',
  request: z.object({}),
  response: z.object({ was_subscribed: z.boolean() }),
  async handle(_input, { principal, write }) {
    const place = { accountId: principal.accountId, sessionId: sessionIdOf(principal) };
    return { was_subscribed: await write(unsubscribeBrowser, place) };
  },
});
