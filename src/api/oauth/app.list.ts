import { listApps } from '../../store/oauth/oauth-apps.ts';
import { defineAccountList } from '../contract/account-list.ts';
import { appObject, presentApp } from './app-object.ts';

export const appList = defineAccountList('app.list', {
  summary: "Lists the account's OAuth applications, oldest first.",
  access: 'own',
  item: appObject,
  list: listApps,
  present: presentApp,
});
