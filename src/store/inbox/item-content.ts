import { Fault } from '@errand/base/fault.ts';
import type { Database } from '../db/database.ts';
import { getNoticeContent, type NoticeContent } from '../notifications/notification-content.ts';
import { getReadableTask } from '../tasks/tasks.ts';
import type { InboxKey } from './inbox-decisions.ts';
import { type InboxDecision, listDecidedItems } from './inbox-items.ts';

type Reader = Pick<Database, 'run'>;

/** The task of an item; null if the account cannot see it. */
async function findTask(database: Reader, { accountId, taskId }: InboxKey) {
  return database.run(getReadableTask, { accountId, taskId }).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return null;
    throw error;
  });
}

/** What an item asks of an account; null if the account is disabled or cannot see the task. */
export async function readItemContent(database: Reader, key: InboxKey): Promise<NoticeContent | null> {
  const { accountId, taskId, seq } = key;
  const task = await findTask(database, key);
  return task && database.run(getNoticeContent, { accountId, taskAccountId: task.accountId, taskId, seq });
}

/** How an item was decided; null if it was not, or if the account cannot see it. */
export async function readItemDecision(database: Reader, key: InboxKey): Promise<InboxDecision | null> {
  const { taskId, seq } = key;
  const task = await findTask(database, key);
  if (!task) return null;
  const place = { accountId: task.accountId, type: null, beforeTaskId: taskId, beforeSeq: seq + 1, limit: 1 };
  const [item] = await database.run(listDecidedItems, place);
  return item?.taskId === taskId && item.seq === seq ? item.decision : null;
}
