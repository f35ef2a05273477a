import { z } from 'zod';
import { accountStatuses } from '../../rules/accounts/account-status.ts';
import { listManagedAccounts } from '../../store/instance/managed-accounts.ts';
import { cursor, pageEnd, queryInteger } from '../contract/fields.ts';
import { presentUse, storageFields } from '../credits/storage-fields.ts';
import { readListPage } from '../contract/list-page.ts';
import { defineOperation } from '../contract/operation.ts';
import { hasTwoStepField, managedAccountObject, presentManaged } from './managed-account-object.ts';

const listedAccount = z
  .object({ ...managedAccountObject.shape, storage: storageFields, has_two_step: hasTwoStepField })
  .meta({ id: 'ListedAccount' });

export const instanceListAccounts = defineOperation('GET', 'instance.listAccounts', {
  summary: 'Lists the accounts of the instance with what they store, oldest first.',
  access: 'instance',
  request: z.object({
    limit: queryInteger(1, 100, 20),
    cursor,
    status: z.enum(accountStatuses).optional().meta({ description: 'Only accounts with this status.' }),
    query: z.string().max(200).optional().meta({ description: 'A part of the e-mail address, ignoring case, or the id.' }),
  }),
  response: z.object({ data: z.array(listedAccount), ...pageEnd }),
  async handle({ limit, cursor: from, status, query }, { read, storageLimit }) {
    // No row contains NUL, and PostgreSQL rejects it.
    const matchesNothing = query?.includes('\0') ?? false;
    const filter = { status: status ?? null, query: query?.toWellFormed() || null };
    const { items, end } = await readListPage(
      { query: ['instance.listAccounts', status, query], cursor: from, limit },
      async (after, count) =>
        matchesNothing ? [] : read(listManagedAccounts, { ...filter, afterId: after ?? '', limit: count }),
      ({ accountId }) => accountId,
    );
    const data = items.map((account) => ({
      ...presentManaged(account),
      storage: presentUse(account.used, account, storageLimit),
      has_two_step: account.hasTwoStep,
    }));
    return { data, ...end };
  },
});
