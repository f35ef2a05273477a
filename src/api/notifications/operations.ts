import type { Operation } from '../contract/operation.ts';
import { notificationSet } from './notification.set.ts';
import { notificationShow } from './notification.show.ts';
import { notificationSubscribe } from './notification.subscribe.ts';
import { notificationTry } from './notification.try.ts';
import { notificationUnsubscribe } from './notification.unsubscribe.ts';

export const notificationOperations: readonly Operation[] = [
  notificationShow,
  notificationSet,
  notificationTry,
  notificationSubscribe,
  notificationUnsubscribe,
];
