import { Fault } from '@errand/base/fault.ts';
import type { Database } from '../db/database.ts';
import { getNoticeContent, type NoticeContent } from '../notifications/notification-content.ts';
import { getReadableTask } from '../tasks/tasks.ts';
import type { InboxKey } from './inbox-decisions.ts';

/** What an item asks of an account; null if the account is disabled or cannot see the task. */
export async function readItemContent(
  database: Pick<Database, 'run'>,
  { accountId, taskId, seq }: InboxKey,
): Promise<NoticeContent | null> {
  const task = await database.run(getReadableTask, { accountId, taskId }).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return null;
    throw error;
  });
  return task && database.run(getNoticeContent, { accountId, taskAccountId: task.accountId, taskId, seq });
}
