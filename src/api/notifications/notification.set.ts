import { z } from 'zod';
import { getNotificationSettings, saveNotificationSettings } from '../../store/notifications/notification-settings.ts';
import { defineOperation } from '../contract/operation.ts';
import { notificationFields, notificationObject, presentSettings, readChange } from './notification-object.ts';

export const notificationSet = defineOperation('POST', 'notification.set', {
  summary: 'Changes what you are notified of, where and when; what is left out stays.',
  details: 'Until it is first called, or a browser subscribes, nobody is notified.',
  access: 'account',
  request: z.object(notificationFields),
  response: z.object({ settings: notificationObject }),
  async handle(input, { principal, read, write, notifications }) {
    const { accountId } = principal;
    const current = await read(getNotificationSettings, { accountId });
    const change = readChange(input, current, notifications);
    return { settings: presentSettings(await write(saveNotificationSettings, { accountId, change })) };
  },
});
