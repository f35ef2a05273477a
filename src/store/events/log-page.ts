import { selectAll, type StoreOperation } from '../db/store-operation.ts';
import { type EventPage, type PageBounds, readSizedPage, sizedColumns } from './sized-page.ts';

export interface ReadLogPageArgs extends Pick<PageBounds, 'accountId' | 'taskId'> {
  /** Events after this number. */
  afterSeq: number;
}

/** What one process holds of a log at a time, besides a single event that is larger. */
const bounds = { limit: 500, maxBytes: 1024 * 1024 };

/** The next events of a log in order, including internal ones: no more than a process can hold of many logs at a time. */
export const readLogPage: StoreOperation<ReadLogPageArgs, EventPage> = {
  name: 'events.readLogPage',
  access: 'read',
  *run({ accountId, taskId, afterSeq }) {
    const rows = yield* selectAll(
      `SELECT ${sizedColumns} FROM events WHERE account_id = ? AND task_id = ? AND seq > ? ORDER BY seq LIMIT ?`,
      accountId,
      taskId,
      afterSeq,
      bounds.limit + 1,
    );
    return yield* readSizedPage(rows, { accountId, taskId, ...bounds });
  },
};
