import { z } from 'zod';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import { defineOperation, type ReplyOperation } from './operation.ts';

interface AccountList<Stored, Item extends z.ZodType> extends Pick<ReplyOperation, 'summary' | 'access'> {
  /** The schema of the elements of `data`. */
  item: Item;
  /** Reads all objects of this kind in an account, in order. */
  list: StoreOperation<string, Stored[]>;
  present(stored: Stored): z.input<Item>;
}

/** An operation that lists all objects of one kind in the account; there are few, so it has no pages. */
export function defineAccountList<Stored, Item extends z.ZodType>(
  name: string,
  { item, list, present, ...row }: AccountList<Stored, Item>,
) {
  return defineOperation('GET', name, {
    ...row,
    request: z.object({}),
    response: z.object({ data: z.array(item) }),
    async handle(_, { principal, read }) {
      return { data: (await read(list, principal.accountId)).map((stored) => present(stored)) };
    },
  });
}
