import { Fault } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { findSharedTask } from '../../../store/tasks/shared-tasks.ts';
import type { TaskRecord } from '../../../store/tasks/task-record.ts';
import { requiredText } from '../../contract/fields.ts';
import type { Context } from '../../contract/operation.ts';

export const shareId = requiredText('The last part of a share_url.');

/**
 * The task of a share_url. Visitors must sign in for a task shared with a team; anyone else without access gets 404.
 */
export async function readSharedTask(id: string, { principal, read }: Pick<Context, 'principal' | 'read'>): Promise<TaskRecord> {
  const readerId = principal.via.kind === 'visitor' ? null : principal.accountId;
  const shared = isId(id) ? await read(findSharedTask, { shareId: id, readerId }) : null;
  if (!shared) throw new Fault('not_found', 'Nothing exists at this URL, or it is not shared with you.');
  if (!shared.isVisible) throw new Fault('unauthenticated', 'This task is shared with a team; sign in to see it.');
  return shared.task;
}
