import { Fault } from '@errand/base/fault.ts';
import { actorOf } from '../../../rules/accounts/security-event.ts';
import { noteExport } from '../../../store/account-archive/import-rows.ts';
import type { Context } from '../../contract/operation.ts';
import { readManaged } from '../managed-account-object.ts';

/** The account to be exported, after that was noted in the records. 412 for one that is being deleted. */
export async function beginExport(reference: string, context: Context): Promise<{ accountId: string }> {
  const { accountId, status } = await readManaged(reference, context);
  if (status === 'deleting') throw new Fault('failed_precondition', 'This account is being deleted.');
  await context.write(noteExport, { accountId, actor: actorOf(context.principal), now: context.now });
  return { accountId };
}
