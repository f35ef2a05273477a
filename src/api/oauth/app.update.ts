import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { readAppFields, readAppKind } from '../../rules/oauth/oauth-app.ts';
import { isOperator } from '../../rules/accounts/access.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { appNotFound, findApp, updateApp } from '../../store/oauth/oauth-apps.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { appObject, applicationTypeField, clientIdField, presentApp } from './app-object.ts';
import { checkMayTrust } from './app-trust.ts';

export const appUpdate = defineOperation('POST', 'app.update', {
  summary: 'Updates an OAuth application; omitted fields keep their values.',
  details: 'If its permissions grow, users must consent again.',
  access: 'own',
  request: z.object({
    client_id: clientIdField,
    name: optional(z.string()),
    homepage: optional(z.string()),
    application_type: applicationTypeField,
    redirect_uris: optional(z.array(z.string())),
    scopes: optional(z.array(z.string())),
    trusted: optional(z.enum(['team', 'public', 'no'])),
  }),
  response: z.object({ app: appObject }),
  async handle({ client_id: clientId, trusted, ...input }, context) {
    const { principal, now, read, write } = context;
    const { accountId } = principal;
    const actor = actorOf(principal);
    const app = await read(findApp, clientId);
    if (app?.accountId !== accountId) throw appNotFound();
    const {
      name = app.name,
      homepage = app.homepage,
      redirect_uris: redirectUris = app.redirectUris,
      scopes = app.scopes,
      application_type: applicationType = app.applicationType,
    } = input;
    if (Object.values({ ...input, trusted }).every((value) => value === undefined))
      throw invalidField('name', 'nothing to change');
    checkMayTrust(trusted === undefined || trusted === 'no' ? null : trusted, principal);
    const fields = readAppFields({ name, homepage, redirectUris, scopes, applicationType });
    const kind = trusted === undefined ? null : readAppKind(trusted === 'no' ? null : trusted, app.isPublic);
    const by = { actor, now, isOperator: isOperator(principal) };
    const change = { ...fields, ...(kind && { kind }) };
    return { app: presentApp(await write(updateApp, { accountId, clientId, ...by, change })) };
  },
});
