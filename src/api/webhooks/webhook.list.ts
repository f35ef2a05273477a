import { listWebhooks } from '../../store/webhooks/webhooks.ts';
import { defineAccountList } from '../contract/account-list.ts';
import { presentWebhook, webhookObject } from './webhook-object.ts';

export const webhookList = defineAccountList('webhook.list', {
  summary: "Lists the account's webhooks, oldest first.",
  access: 'account',
  item: webhookObject,
  list: listWebhooks,
  present: presentWebhook,
});
