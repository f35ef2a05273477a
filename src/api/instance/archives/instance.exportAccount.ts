import { z } from 'zod';
import { defineOperation } from '../../contract/operation.ts';
import { toUnixTime, unixTime } from '../../contract/unix-time.ts';
import { accountReference } from '../managed-account-object.ts';
import { beginExport } from './exported-account.ts';

export const instanceExportAccount = defineOperation('POST', 'instance.exportAccount', {
  summary: 'Returns a URL that downloads an account with everything of it as one zip file.',
  details: [
    'The URL works for an hour, without a credential. The file is made while it is downloaded, from the account as it is then.',
    '`errand account import` stores it in another instance. It has no secrets; its `manifest.json` names what has to be entered again.',
  ].join(' '),
  access: 'instance',
  hasSecret: true,
  request: z.object({ account_id: accountReference }),
  response: z.object({ account_id: z.string(), url: z.string(), filename: z.string(), expires_at: unixTime }),
  async handle({ account_id }, context) {
    const { accountId } = await beginExport(account_id, context);
    const filename = `account-${accountId}.zip`;
    const { url, endsAtMs } = context.urls.accountExport(accountId, filename);
    return { account_id: accountId, url, filename, expires_at: toUnixTime(endsAtMs) };
  },
});
