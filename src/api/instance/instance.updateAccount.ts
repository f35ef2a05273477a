import { z } from 'zod';
import { plans } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { updateManagedAccount } from '../../store/instance/managed-accounts.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import {
  accountReference,
  managedAccountObject,
  presentManaged,
  quotasField,
  readManaged,
  readQuotas,
  refuseOwnAccount,
} from './managed-account-object.ts';

export const instanceUpdateAccount = defineOperation('POST', 'instance.updateAccount', {
  summary: 'Changes the plan or the quotas of an account, disables it or enables it again, or makes it an owner of the instance.',
  details:
    'The credentials of a disabled account are answered with 403 and nobody can sign in to it; its running tasks are stopped, and its webhooks and linked chats rest. Enabling it restores all of this; its tasks go on with their next message.',
  access: 'instance',
  request: z.object({
    account_id: accountReference,
    plan: optional(z.enum(plans)),
    quotas: quotasField,
    status: optional(z.enum(['active', 'disabled'])),
    instance_owner: optional(z.boolean()).meta({
      description: 'Whether its user, signed in with a browser, administers the instance like an instance key.',
    }),
  }),
  response: z.object({ account: managedAccountObject }),
  async handle({ account_id, plan, quotas, status, instance_owner }, context) {
    const { accountId } = await readManaged(account_id, context);
    const { now, principal, write } = context;
    if (status === 'disabled' || instance_owner === false) refuseOwnAccount(principal, accountId);
    const change = { plan, status, quotas: readQuotas(quotas), isInstanceOwner: instance_owner };
    const account = await write(updateManagedAccount, { accountId, ...change, actor: actorOf(principal), now });
    return { account: presentManaged(account) };
  },
});
