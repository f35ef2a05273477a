import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { beginAccountDeletion } from '../../store/accounts/account-deletion.ts';
import { defineOperation } from '../contract/operation.ts';
import { accountReference, readManaged, refuseOwnAccount } from './managed-account-object.ts';

export const instanceDeleteAccount = defineOperation('POST', 'instance.deleteAccount', {
  summary: 'Deletes an account permanently, with everything of it.',
  details:
    'Answers 202 when the deletion is durable: its credentials are refused from then on, and a worker removes rows, files, and workspaces, also after a restart. Until that is done `instance.accountDetail` shows the account with the status `deleting`, then it is answered with 404.',
  access: 'instance',
  status: 202,
  request: z.object({ account_id: accountReference }),
  response: z.object({ account_id: z.string(), status: z.literal('deleting') }),
  async handle({ account_id }, context) {
    const { accountId } = await readManaged(account_id, context);
    const { now, principal, write } = context;
    refuseOwnAccount(principal, accountId);
    await write(beginAccountDeletion, { accountId, actor: actorOf(principal), now });
    return { account_id: accountId, status: 'deleting' as const };
  },
});
