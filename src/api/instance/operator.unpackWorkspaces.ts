import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import type { TaskKey } from '../../store/events/task-key.ts';
import { optional } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';

/** Copies that one request looks at. */
const copiesAtOnce = 1000;
/** A request ends after as many workspaces, or after archives of this size, so that progress is seen. */
const workspacesAtOnce = 50;
const bytesAtOnce = 256 * 1024 * 1024;

const fullCodes = ['ENOSPC', 'EDQUOT'];
/** What the system says of one file, while the disk has others. */
const fileCodes = ['EACCES', 'EPERM', 'EIO', 'ELOOP'];

function readCursor(cursor: string | undefined): TaskKey | null {
  if (cursor === undefined) return null;
  const [accountId = '', taskId = '', ...more] = cursor.split(' ');
  if (taskId === '' || more.length > 0) throw invalidField('cursor', 'must be the next_cursor of the request before');
  return { accountId, taskId };
}

interface Failure {
  account_id: string;
  task_id: string;
  message: string;
}

/**
 * Why one workspace could not be unpacked. Throws what the next one would meet, too: a full disk, a storage that does not respond, a database of
 * several processes.
 */
function describeFailure(error: unknown, { accountId, taskId }: TaskKey): Failure {
  if (error instanceof Fault && error.code === 'failed_precondition') throw error;
  if (error instanceof Fault && error.code === 'unavailable') {
    const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
    if (!fileCodes.includes(code)) throw error;
    return { account_id: accountId, task_id: taskId, message: `Its archive cannot be read (${code}).` };
  }
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: String(error) };
  if (fullCodes.includes(code ?? '')) {
    const text = `The disk is full: the workspace of task ${taskId} does not fit. Make space, and run the command again.`;
    throw new Fault('unavailable', text, { cause: error });
  }
  return { account_id: accountId, task_id: taskId, message };
}

/** Unpacks until the request has done its part; `last` is where it has come to, null if it has done all of them. */
async function unpackSome(
  packed: readonly (TaskKey & { bytes: number })[],
  { workspaceFiles, signal }: Pick<Context, 'workspaceFiles' | 'signal'>,
): Promise<{ unpacked: number; failed: Failure[]; last: TaskKey | null }> {
  const failed: Failure[] = [];
  let bytes = 0;
  for (const [at, task] of packed.entries()) {
    signal.throwIfAborted();
    try {
      await workspaceFiles.unpack(task.accountId, task.taskId);
    } catch (error) {
      failed.push(describeFailure(error, task));
    }
    bytes += task.bytes;
    const isEnough = at + 1 >= workspacesAtOnce || bytes >= bytesAtOnce;
    if (isEnough && at + 1 < packed.length) return { unpacked: at + 1 - failed.length, failed, last: task };
  }
  return { unpacked: packed.length - failed.length, failed, last: null };
}

export const operatorUnpackWorkspaces = defineOperation('POST', 'operator.unpackWorkspaces', {
  summary: 'Unpacks packed workspaces into folders of the machine of the service, a part at each request.',
  details: 'For `errand workspace unpack-all`. Repeat it with `cursor` until the response has no `next_cursor`.',
  access: 'operator',
  request: z.object({ cursor: optional(z.string()).meta({ description: 'next_cursor of the request before.' }) }),
  response: z.object({
    unpacked: z.int().meta({ description: 'How many workspaces this request has unpacked.' }),
    failed: z
      .array(z.object({ account_id: z.string(), task_id: z.string(), message: z.string() }))
      .meta({ description: 'Workspaces that stay packed, and why.' }),
    next_cursor: z.string().optional(),
  }),
  async handle({ cursor }, { read, workspaceFiles, signal }) {
    const { listPackedWorkspaces } = await import('../../store/tasks/packed-workspaces.ts');
    const { packed, end } = await read(listPackedWorkspaces, { after: readCursor(cursor), limit: copiesAtOnce });
    const { unpacked, failed, last } = await unpackSome(packed, { workspaceFiles, signal });
    const next = last ?? end;
    return { unpacked, failed, ...(next && { next_cursor: `${next.accountId} ${next.taskId}` }) };
  },
});
