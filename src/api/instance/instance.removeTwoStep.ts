import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { describeTwoStepRemoval } from '../../rules/accounts/two-step-mail.ts';
import { newId } from '@errand/base/ids.ts';
import { removeTwoStep } from '../../store/accounts/two-step/authenticators.ts';
import { defineOperation } from '../contract/operation.ts';
import { accountReference, readManaged } from './managed-account-object.ts';

export const instanceRemoveTwoStep = defineOperation('POST', 'instance.removeTwoStep', {
  summary: 'Turns two-step sign-in off for the user of an account who lost the authenticator app and the recovery codes.',
  details:
    'Make sure who asks. The user is told by mail, where the service sends any, and signs in with the password alone. Answers 412 if it is off.',
  access: 'instance',
  request: z.object({ account_id: accountReference }),
  response: z.object({
    account_id: z.string(),
    is_mailed: z.boolean().meta({ description: 'Whether the user was sent a mail about it.' }),
  }),
  async handle({ account_id }, context) {
    const { now, principal, write, accountMail, urls } = context;
    const { accountId, email: to, locale } = await readManaged(account_id, context);
    await write(removeTwoStep, { accountId, isForInstance: true, actor: actorOf(principal), now });
    const mail = describeTwoStepRemoval(locale, urls.page('/settings/sessions'));
    const sent = await accountMail?.send({ to, ...mail, id: newId(now) });
    return { account_id: accountId, is_mailed: sent !== undefined && 'outcome' in sent };
  },
});
