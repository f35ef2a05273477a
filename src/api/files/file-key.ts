import { isId } from '@errand/base/ids.ts';
import { boundClientOf, type Principal } from '../../rules/accounts/access.ts';
import { type FileKey, fileNotFound } from '../../store/files/files.ts';
import { requiredText } from '../contract/fields.ts';

export const fileId = requiredText('Identifier of the file.');

/** Where a file that a caller names is looked for. What cannot be an id is a file that does not exist. */
export function keyOfFile(id: string, principal: Principal): FileKey {
  if (!id.startsWith('file-') || !isId(id.slice('file-'.length))) throw fileNotFound();
  return { accountId: principal.accountId, fileId: id, onlyClientId: boundClientOf(principal) };
}
