import { isId } from '@errand/base/ids.ts';
import { boundClientOf, type Principal } from '../../rules/accounts/access.ts';
import { type FileKey, fileNotFound } from '../../store/files/files.ts';
import { requiredText } from '../contract/fields.ts';

export const fileId = requiredText('Identifier of the file.');

/** The key of a file named by the caller. An invalid id counts as a missing file. */
export function keyOfFile(id: string, principal: Principal): FileKey {
  if (!id.startsWith('file-') || !isId(id.slice('file-'.length))) throw fileNotFound();
  return { accountId: principal.accountId, fileId: id, onlyClientId: boundClientOf(principal) };
}
