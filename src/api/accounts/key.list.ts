import { listApiKeys } from '../../store/accounts/api-keys.ts';
import { defineAccountList } from '../contract/account-list.ts';
import { keyObject, presentKey } from './key-object.ts';

export const keyList = defineAccountList('key.list', {
  summary: "Lists the account's active API keys, oldest first.",
  access: 'own',
  item: keyObject,
  list: listApiKeys,
  present: presentKey,
});
