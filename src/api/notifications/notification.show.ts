import { z } from 'zod';
import { listBridgeChats } from '../../store/bridges/bridge-chats.ts';
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
    has_chats: z.boolean().meta({ description: 'Whether the service has a bot for Telegram or Slack.' }),
    chats: z.int().meta({ description: 'How many chats are linked.' }),
    browsers: z.int().meta({ description: 'How many browsers are notified.' }),
    is_here: z.boolean().meta({ description: 'Whether the calling browser is one of them.' }),
  }),
  async handle(_input, { principal, now, read, notifications }) {
    const { accountId, via } = principal;
    const sessionId = via.kind === 'session' ? via.sessionId : null;
    const [settings, { count, isHere }, chats] = await Promise.all([
      read(getNotificationSettings, { accountId }),
      read(countSubscriptions, { accountId, sessionId, now }),
      read(listBridgeChats, accountId),
    ]);
    const { pushKey, hasMail, hasChats } = notifications;
    const ways = { push_key: pushKey, has_mail: hasMail, has_chats: hasChats };
    return { settings: presentSettings(settings), ...ways, chats: chats.length, browsers: count, is_here: isHere };
  },
});
