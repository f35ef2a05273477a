import { claimNotices, endNotice } from './notification-claims.ts';
import { getDigestContent, getNoticeContent } from './notification-content.ts';
import { queueTest } from './notification-queue.ts';
import { getNotificationSettings, saveNotificationSettings } from './notification-settings.ts';
import {
  countSubscriptions,
  endSubscription,
  findSubscription,
  subscribeBrowser,
  unsubscribeBrowser,
} from './push-subscriptions.ts';

/** Every operation on notifications. */
export const notificationOperations = [
  getNotificationSettings,
  saveNotificationSettings,
  subscribeBrowser,
  unsubscribeBrowser,
  endSubscription,
  countSubscriptions,
  findSubscription,
  queueTest,
  claimNotices,
  endNotice,
  getNoticeContent,
  getDigestContent,
];
