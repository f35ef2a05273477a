import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { revokeAppSecret } from '../../store/oauth/oauth-secrets.ts';
import { requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { clientIdField } from './app-object.ts';

export const appRevokeSecret = defineOperation('POST', 'app.revokeSecret', {
  summary: 'Permanently revokes a secret of an OAuth application.',
  access: 'own',
  request: z.object({ client_id: clientIdField, secret_id: requiredText('Id of the secret.') }),
  response: z.object({ secret_id: z.string() }),
  async handle({ client_id: clientId, secret_id: secretId }, { principal, now, write }) {
    await write(revokeAppSecret, { accountId: principal.accountId, clientId, secretId, actor: actorOf(principal), now });
    return { secret_id: secretId };
  },
});
