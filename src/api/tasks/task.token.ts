import { z } from 'zod';
import { Fault } from '@errand/base/fault.ts';
import { type Principal, taskRights } from '../../rules/accounts/access.ts';
import { maxTaskTokenS, type TokenParent } from '../../rules/tasks/task-token.ts';
import { getTask } from '../../store/tasks/tasks.ts';
import { taskId } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

function parentOf({ via }: Principal): TokenParent {
  if (via.kind === 'api_key') return { kind: 'api_key', id: via.keyId };
  if (via.kind === 'oauth') return { kind: 'oauth', id: via.grantId };
  if (via.kind === 'session') return { kind: 'session', id: via.sessionId };
  return { kind: 'operator', id: '' };
}

const rights = z.array(z.enum(taskRights)).min(1, 'must name at least one right').max(taskRights.length).meta({
  description: '`read`: task.detail and task.listMessages; `stream`: task.stream; `answer`: task.sendMessage with text.',
});

export const taskToken = defineOperation('POST', 'task.token', {
  summary: 'Creates a short-lived token for one task, for use in a browser.',
  details:
    'It is sent as `Authorization: Bearer`, and only the named operations of this task accept it, from pages of the origins in `ERRAND_CORS_ORIGINS`. It ends when it expires, and with the task, the account, and the credential that made it.',
  access: 'all_tasks',
  hasSecret: true,
  request: z.object({
    task_id: taskId,
    expires_in: z
      .int()
      .min(1)
      .max(maxTaskTokenS)
      .meta({ description: `Seconds until it expires, at most ${maxTaskTokenS}.` }),
    can: rights,
  }),
  response: z.object({ token: z.string(), expires_at: unixTime }),
  async handle({ task_id, expires_in, can }, context) {
    const { taskTokens, now, principal, read } = context;
    const { id } = await read(getTask, keyOfTask(task_id, context));
    const { accountId } = principal;
    if (!taskTokens)
      throw new Fault('failed_precondition', 'This process lacks ERRAND_SECRET, with which task tokens are signed.');
    const endsAtMs = Math.floor(now / 1000 + expires_in) * 1000;
    const token = taskTokens.format({ accountId, taskId: id, can, parent: parentOf(principal), endsAtMs });
    return { token, expires_at: toUnixTime(endsAtMs) };
  },
});
