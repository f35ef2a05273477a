import type { Operation } from '../contract/operation.ts';
import { webhookCreate } from './webhook.create.ts';
import { webhookDelete } from './webhook.delete.ts';
import { webhookDeliveries } from './webhook.deliveries.ts';
import { webhookDelivery } from './webhook.delivery.ts';
import { webhookEnable } from './webhook.enable.ts';
import { webhookList } from './webhook.list.ts';
import { webhookListen } from './webhook.listen.ts';
import { webhookPublicKey } from './webhook.publicKey.ts';
import { webhookPull } from './webhook.pull.ts';
import { webhookResend } from './webhook.resend.ts';
import { webhookRotateKeys } from './webhook.rotateKeys.ts';
import { webhookRotateSecret } from './webhook.rotateSecret.ts';
import { webhookTrigger } from './webhook.trigger.ts';

export const webhookOperations: readonly Operation[] = [
  webhookCreate,
  webhookList,
  webhookRotateSecret,
  webhookDelete,
  webhookTrigger,
  webhookListen,
  webhookPull,
  webhookPublicKey,
  webhookDeliveries,
  webhookDelivery,
  webhookEnable,
  webhookResend,
  webhookRotateKeys,
];
