import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
import { actorOf } from '../../rules/accounts/security-event.ts';
import { eachPerson, limitScopes, mostRunningTasks } from '../../rules/limits/running-limit.ts';
import { setRunningLimit } from '../../store/limits/running-limits.ts';
import { readUserId } from '../contract/external-user-field.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { limitedId, presentLimitedId } from './limit-object.ts';

export const limitSet = defineOperation('POST', 'limit.set', {
  summary: 'Sets, changes, or removes how many tasks of an account, project, key, or person (`external_user_id`) run at once.',
  details:
    'Tasks beyond the limit wait and start when others end or wait. Tasks that run already are not interrupted. Subtasks count.',
  access: 'all_tasks',
  request: z.object({
    scope: z.enum(limitScopes),
    id: optional(z.string()).meta({
      description:
        'What is limited. Omitted, it is the own account in the scope `account`, and each person without a limit of their own in the scope `external_user`.',
    }),
    running_tasks: z
      .int()
      .min(1)
      .max(mostRunningTasks)
      .nullable()
      .meta({ description: 'How many of its tasks run at once, at least 1; null removes the limit.' }),
  }),
  response: z.object({
    limit: z
      .object({ scope: z.enum(limitScopes), id: limitedId, running_tasks: z.int() })
      .nullable()
      .meta({ description: 'Null once it is removed.' }),
  }),
  async handle({ scope, id, running_tasks: tasks }, { principal, now, write }) {
    const { accountId } = principal;
    const usual = { account: accountId, external_user: eachPerson, key: null, project: null };
    const scopeId = (scope === 'external_user' ? readUserId(id, 'id') : id) || usual[scope];
    if (scopeId === null) throw invalidField('id', `is required: which ${scope} is limited`);
    await write(setRunningLimit, { accountId, scope, scopeId, tasks, actor: actorOf(principal), now });
    return { limit: tasks === null ? null : { scope, id: presentLimitedId(scopeId), running_tasks: tasks } };
  },
});
