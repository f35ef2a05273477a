import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { requiredText } from '../../contract/fields.ts';
import { defineOperation } from '../../contract/operation.ts';
import { accountReference } from '../managed-account-object.ts';
import { archiveSummary, presentArchive } from './archive-summary.ts';
import { beginExport } from './exported-account.ts';

/** A file of the machine on which the service runs. */
export const archiveFile = requiredText('Absolute path of the file, on the machine of the service.');

/** Throws 400 for a path that depends on where the service was started. */
export function checkFile(file: string): string {
  if (!isAbsolute(file) || file.includes('\0')) throw invalidField('file', 'must be an absolute path');
  return file;
}

export const operatorExportAccount = defineOperation('POST', 'operator.exportAccount', {
  summary: 'Writes an account with everything of it to a new file on the machine of the service.',
  details: 'For `errand account export`.',
  access: 'operator',
  hasSecret: true,
  request: z.object({ account_id: accountReference, file: archiveFile }),
  response: z.object({ archive: archiveSummary }),
  async handle({ account_id, file }, context) {
    const path = checkFile(file);
    const { accountId } = await beginExport(account_id, context);
    return { archive: presentArchive(await context.accountArchives.write(accountId, path, context.signal)) };
  },
});
