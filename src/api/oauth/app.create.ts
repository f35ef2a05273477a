import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { readAppFields, readAppKind } from '../../rules/oauth/oauth-app.ts';
import { isOperator } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { makeAppSecret } from '../../store/oauth/new-app-secret.ts';
import { createApp } from '../../store/oauth/oauth-apps.ts';
import { optional, requiredText } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { appObject, applicationTypeField, presentApp } from './app-object.ts';
import { checkMayTrust } from './app-trust.ts';

export const appCreate = defineOperation('POST', 'app.create', {
  summary: 'Registers an OAuth application and shows its secret once.',
  access: 'own',
  hasSecret: true,
  request: z.object({
    name: requiredText('What its users see.'),
    homepage: optional(z.string()),
    application_type: applicationTypeField,
    redirect_uris: z.array(z.string()),
    scopes: optional(z.array(z.string())).meta({ description: 'Scopes it may request. Default: `create_task`.' }),
    trusted: optional(z.enum(['team', 'public'])).meta({
      description:
        'Whether the application is used by the team (`team`) or by everyone (`public`), without being limited by scopes.',
    }),
    public_client: optional(z.boolean()).meta({
      description: 'The application cannot keep a secret, such as a program on a device.',
    }),
  }),
  response: z.object({ client_id: z.string(), client_secret: z.string().optional(), app: appObject }),
  async handle({ trusted, public_client: isPublic = false, ...input }, context) {
    const { principal, now, write } = context;
    checkMayTrust(trusted ?? null, principal);
    const { name, homepage, redirect_uris: redirectUris, scopes = ['create_task'], application_type: type = null } = input;
    const secret = isPublic ? null : makeAppSecret(now);
    const kind = readAppKind(trusted ?? null, isPublic);
    const fields = readAppFields({ name, homepage, redirectUris, scopes, applicationType: type });
    const owner = { accountId: principal.accountId, clientId: newId(now), createdAtMs: now };
    const app = await write(createApp, {
      app: { ...owner, ...fields, kind, isPublic },
      secret: secret?.stored ?? null,
      actor: actorOf(principal),
      isOperator: isOperator(principal),
    });
    return { client_id: app.clientId, ...(secret && { client_secret: secret.text }), app: presentApp(app) };
  },
});
