import { z } from 'zod';
import { queueTest } from '../../store/notifications/notification-queue.ts';
import { defineOperation } from '../contract/operation.ts';

export const notificationTry = defineOperation('POST', 'notification.try', {
  summary: 'Sends a notification to all your browsers, and by mail if the service sends any, to see that they arrive.',
  access: 'account',
  request: z.object({}),
  response: z.object({ queued: z.literal(true) }),
  async handle(_input, { principal, now, write }) {
    await write(queueTest, { accountId: principal.accountId, now });
    return { queued: true as const };
  },
});
