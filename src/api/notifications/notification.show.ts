import { z } from 'zod';
import { getNotificationSettings } from '../../store/notifications/notification-settings.ts';
import { countSubscriptions } from '../../store/notifications/push-subscriptions.ts';
import { defineOperation } from '../contract/operation.ts';
import { notificationObject, presentSettings } from './notification-object.ts';

export const notificationShow = defineOperation('GET', 'notification.show', {
  summary: 'Shows what you are notified of, where and when, and how this service can reach you.',
  access: 'account',
  request: z.object({}),
  response: z.object({
    settings: notificationObject,
    push_key: z.string().nullable().meta({
      description: 'What browsers need to subscribe: the public key of the service in Base64url. Null if it cannot push.',
    }),
    has_mail: z.boolean().meta({ description: 'Whether the service sends mail.' }),
    browsers: z.int().meta({ description: 'How many browsers are notified.' }),
    is_here: z.boolean().meta({ description: 'Whether the calling browser is one of them.' }),
  }),
  async handle(_input, { principal, now, read, notifications }) {
    const { accountId, via } = principal;
    const sessionId = via.kind === 'session' ? via.sessionId : null;
    const [settings, { count, isHere }] = await Promise.all([
      read(getNotificationSettings, { accountId }),
      read(countSubscriptions, { accountId, sessionId, now }),
    ]);
    const { pushKey, hasMail } = notifications;
    return { settings: presentSettings(settings), push_key: pushKey, has_mail: hasMail, browsers: count, is_here: isHere };
  },
});
