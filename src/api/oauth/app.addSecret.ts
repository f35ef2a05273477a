import { z } from 'zod';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { makeAppSecret } from '../../store/oauth/new-app-secret.ts';
import { createAppSecret } from '../../store/oauth/oauth-secrets.ts';
import { defineOperation } from '../contract/operation.ts';
import { appSecretObject, clientIdField, presentAppSecret } from './app-object.ts';

export const appAddSecret = defineOperation('POST', 'app.addSecret', {
  summary: 'Adds a secret to an OAuth application and shows it once. An application can have five.',
  access: 'own',
  hasSecret: true,
  request: z.object({ client_id: clientIdField }),
  response: z.object({ client_id: z.string(), client_secret: z.string(), secret: appSecretObject }),
  async handle({ client_id: clientId }, { principal, now, write }) {
    const { text, stored } = makeAppSecret(now);
    const secret = await write(createAppSecret, {
      accountId: principal.accountId,
      clientId,
      secret: stored,
      actor: actorOf(principal),
    });
    return { client_id: clientId, client_secret: text, secret: presentAppSecret(secret) };
  },
});
