import { z } from 'zod';
import type { StoreOperation } from '../../store/db/store-operation.ts';
import { defineOperation, type ReplyOperation } from './operation.ts';

interface AccountList<Stored, Item extends z.ZodType> extends Pick<ReplyOperation, 'summary' | 'access'> {
  /** The object that each element of `data` is. */
  item: Item;
  /** Reads everything of this kind that an account has, in the order of the answer. */
  list: StoreOperation<string, Stored[]>;
  present(stored: Stored): z.input<Item>;
}

/** An operation that lists all of one kind that the account has; there are few of them, so there are no pages. */
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
