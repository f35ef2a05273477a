import { z } from 'zod';
import { readEmail } from '../../accounts/email-field.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { optional } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { archiveSummary, presentArchive } from './archive-summary.ts';
import { archiveFile, checkFile } from './operator.exportAccount.ts';

export const operatorImportAccount = defineOperation('POST', 'operator.importAccount', {
  summary: 'Stores an account from the file of its export, or nothing of it.',
  details: [
    'For `errand account import`. Refused while the account or its address exists; all ids stay the same. Secrets are not in the file:',
    '`enter_again` names what has to be entered or made again.',
  ].join(' '),
  access: 'operator',
  hasSecret: true,
  request: z.object({
    file: archiveFile,
    email: optional(z.string()).meta({ description: 'Address of the account; default: the one in the file.' }),
  }),
  response: z.object({ archive: archiveSummary }),
  async handle({ file, email }, { principal, signal, accountArchives }) {
    const request = {
      file: checkFile(file),
      email: email === undefined ? null : readEmail(email),
      actor: actorOf(principal),
      signal,
    };
    return { archive: presentArchive(await accountArchives.import(request)) };
  },
});
