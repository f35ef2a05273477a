import { z } from 'zod';
import { appNotFound, findApp } from '../../store/oauth/oauth-apps.ts';
import { listAppSecrets } from '../../store/oauth/oauth-secrets.ts';
import { defineOperation } from '../contract/operation.ts';
import { appObject, appSecretObject, clientIdField, presentApp, presentAppSecret } from './app-object.ts';

export const appShow = defineOperation('GET', 'app.show', {
  summary: 'Returns an OAuth application with the ids of its secrets.',
  access: 'own',
  request: z.object({ client_id: clientIdField }),
  response: z.object({ app: appObject, secrets: z.array(appSecretObject) }),
  async handle({ client_id: clientId }, { principal, read }) {
    const { accountId } = principal;
    const app = await read(findApp, clientId);
    if (app?.accountId !== accountId) throw appNotFound();
    const secrets = await read(listAppSecrets, { accountId, clientId });
    return { app: presentApp(app), secrets: secrets.map(presentAppSecret) };
  },
});
