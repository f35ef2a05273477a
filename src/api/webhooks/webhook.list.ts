import { z } from 'zod';
import { listWebhooks } from '../../store/webhooks/webhooks.ts';
import { defineOperation } from '../contract/operation.ts';
import { presentWebhook, webhookObject } from './webhook-object.ts';

export const webhookList = defineOperation({
  name: 'webhook.list',
  method: 'GET',
  summary: 'Lists the webhooks of the account, oldest first.',
  access: 'account',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(webhookObject) }),
  async handle(_, { principal, read }) {
    return { data: (await read(listWebhooks, principal.accountId)).map(presentWebhook) };
  },
});
