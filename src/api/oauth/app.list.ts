import { z } from 'zod';
import { listApps } from '../../store/oauth/oauth-apps.ts';
import { defineOperation } from '../contract/operation.ts';
import { appObject, presentApp } from './app-object.ts';

export const appList = defineOperation({
  name: 'app.list',
  method: 'GET',
  summary: 'Lists the OAuth applications of the account, oldest first.',
  access: 'own',
  cost: 'read',
  request: z.object({}),
  response: z.object({ data: z.array(appObject) }),
  async handle(_input, { principal, read }) {
    return { data: (await read(listApps, principal.accountId)).map(presentApp) };
  },
});
