import type { StoreOperation } from '../db/store-operation.ts';
import { type ReadShownArgs, selectShown } from './events.ts';
import { type EventPage, type PageBounds, readSizedPage, sizedColumns } from './sized-page.ts';

export interface ReadShownPageArgs extends ReadShownArgs, Pick<PageBounds, 'maxBytes'> {}

/** A page of the events that clients may see, of up to `limit` events and about as many bytes as asked for. */
export const readShownPage: StoreOperation<ReadShownPageArgs, EventPage> = {
  name: 'events.readShownPage',
  access: 'read',
  *run(args) {
    const rows = yield* selectShown(sizedColumns, { ...args, limit: args.limit + 1 });
    return yield* readSizedPage(rows, args);
  },
};
